-- Neovim with nvim-dap looks at a run: a breakpoint, a value and where it came from, steps forward and backward.
-- Environment: NVIM_DAP (the plugin's directory), JINSI, TRACE, SOURCES, OUT (what was seen is written there, a line each).

vim.opt.rtp:prepend(vim.env.NVIM_DAP)
local dap = require("dap")
local seen, stops = {}, 0

local function note(...)
  table.insert(seen, table.concat({ ... }, " "))
end

--- Waits for so many stops in all, and notes where the editor stands then.
local function stopped(count)
  local function there()
    local session = dap.session()
    return stops >= count and session and session.current_frame
  end
  if not vim.wait(20000, there, 20) then
    note("no stop", count)
    return
  end
  -- The frame is asked for after the stop: that of the stop before may still stand there.
  vim.wait(300)
  local frame = dap.session().current_frame
  note(frame.name, frame.line)
end

local function value(expression)
  local answer
  dap.session():evaluate(expression, function(error, response)
    answer = error and ("refused: " .. vim.inspect(error)) or response.result
  end)
  vim.wait(20000, function() return answer end, 20)
  note(expression, "=", answer or "no answer")
end

dap.adapters.jinsi = { type = "executable", command = vim.env.JINSI, args = { "dap" } }
dap.listeners.after.event_stopped["drive"] = function() stops = stops + 1 end

vim.cmd("edit " .. vim.env.SOURCES .. "/mergesort/MergeSort.java")
vim.api.nvim_win_set_cursor(0, { 12, 0 })
dap.set_breakpoint()
dap.run({ type = "jinsi", request = "launch", name = "past", trace = vim.env.TRACE, source = { vim.env.SOURCES }, at = "0:1" })
stopped(1)
dap.continue()
stopped(2)
value("a[la]")
value("origin a[la]")
dap.step_over()
stopped(3)
dap.step_back()
stopped(4)
dap.reverse_continue()
stopped(5)
dap.step_into()
stopped(6)

vim.fn.writefile(seen, vim.env.OUT)
vim.cmd("qa!")
