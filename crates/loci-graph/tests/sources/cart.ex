defmodule A.Cart do
  @moduledoc "Carts."
  use GenServer
  alias A.B.{C, D}
  import Ecto.Query, only: [from: 2]
  @max 3
  @doc "Sums. More."
  @spec total(t, integer) :: integer
  def total(cart, x) when x > 1 do
    it = C.find(x)
    helper(it, cart)
    Enum.map(cart.items, &go/1)
    cart |> D.run(fn a -> a.b(1) end)
  end
  def total(_, _), do: 0
  defp helper(a, b), do: a.(b)
  defmacro mac(x) do quote do: unquote(x) end
end
defimpl Shop, for: A.Cart do
  def k(x), do: x
end
