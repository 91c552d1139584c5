defmodule Shop.Worker do
  def start_worker(args) do
    GenServer.start_worker(__MODULE__, args)
  end

  def restart(args) do
    start_worker(args)
  end
end
