defmodule Shop.Order do
  defstruct [:id, lines: []]

  alias Shop.Line

  @spec total(t) :: integer
  def total(%__MODULE__{lines: lines}) do
    lines |> Enum.map(&Line.cost/1) |> Enum.sum() |> rounded()
  end

  def label(order), do: "order #{order.id}"

  defp rounded(value), do: value

  defmacro traced(call) do
    quote do: unquote(call)
  end
end

defmodule Shop.Line do
  def cost(line), do: line.price
end

defprotocol Shop.Printable do
  def print(item)
end

defimpl Shop.Printable, for: Shop.Order do
  def print(order), do: Shop.Order.label(order)
end

defmodule Shop.Basket do
  def total(basket), do: basket.sum
end
