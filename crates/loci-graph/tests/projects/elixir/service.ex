defmodule Shop.Service do
  use GenServer
  @behaviour Shop.Store

  alias Shop.{Line, Order}
  import Shop.Order, only: [label: 1]
  require Shop.Order

  @impl true
  def init(state), do: {:ok, state}

  def place(order) do
    total = Order.total(order)
    Line.cost(order)
    log(label(order))
    Shop.Printable.print(order)
    Order.traced(total)
  end

  defp log(text), do: IO.puts(text)
end

defmodule Shop.Store do
  @callback save(term) :: boolean
end
