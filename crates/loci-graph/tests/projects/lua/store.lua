local order = require("order")

local Store = {}
Store.__index = Store

function Store.new(name)
  return setmetatable({ name = name }, Store)
end

function Store:close()
  self:log("closed")
end

function Store:log(text)
  print(text)
end

local OrderStore = setmetatable({}, { __index = Store })

function OrderStore:save(item)
  self:log(order.label(item))
  return order.rounded(1)
end

local function helper(store)
  store:close()
end

OrderStore.open = function(name)
  local store = Store.new(name)
  helper(store)
  return store
end

return OrderStore
