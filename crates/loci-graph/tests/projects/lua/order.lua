local M = {}

local function round(value)
  return value
end

function M.rounded(value)
  return round(value)
end

M.label = function(order)
  return M.rounded(order.id) .. order.name
end

M.handlers = {
  on_place = function(order)
    return M.label(order)
  end,
}

return M
