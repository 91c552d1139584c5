local json = require("cjson")
local M = { go = function(a) a.b() end }
-- Doc.
function M.total(x, h) local it = find(x); it:go(); h(1); M.client.get(x):send(max) end
function M:meth() self.client:send() end
local function priv() end
M.assigned = function(q) q() end
return M
