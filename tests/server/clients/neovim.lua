-- neovim's own client, 0.7 and later. Arguments by environment: LP_ROOT, LP_COMMAND (JSON), LP_PICK, LP_ONLY.
local root = vim.env.LP_ROOT
local function log(...)
  io.stdout:write(table.concat(vim.tbl_map(tostring, { ... }), " ") .. "\n")
end
local decode = vim.json and vim.json.decode or vim.fn.json_decode
local command = decode(vim.env.LP_COMMAND)
local function session()
  vim.cmd("edit " .. root .. "/bad.py")
  local id
  if vim.lsp.start then
    id = vim.lsp.start({ name = "lintpickle", cmd = command, root_dir = root })
  else
    id = vim.lsp.start_client({ name = "lintpickle", cmd = command, root_dir = root })
    vim.lsp.buf_attach_client(0, id)
  end
  vim.wait(60000, function() return #vim.diagnostic.get(0) > 1 end, 50)
  for _, d in ipairs(vim.diagnostic.get(0)) do
    local text = vim.api.nvim_buf_get_text(0, d.lnum, d.col, d.end_lnum, d.end_col, {})[1]
    log("DIAGNOSTIC", d.lnum, d.code or "LP101", "[" .. text .. "]", d.message)
  end
  local first = vim.diagnostic.get(0)[1]
  vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
  -- 0.7 always asks which action to take; newer ones ask when there is a choice.
  vim.ui.select = function(items, _, choose)
    for index, item in ipairs(items) do
      local action = item.action or item[2]
      log("ACTION", action.kind, action.title)
      if action.title:find(vim.env.LP_PICK, 1, true) then return choose(item, index) end
    end
    choose(nil)
  end
  local context = vim.env.LP_ONLY and { only = { vim.env.LP_ONLY }, diagnostics = {} } or nil
  vim.lsp.buf.code_action(context and { context = context, apply = true } or nil)
  vim.wait(60000, function() return vim.bo.modified end, 50)
  local wanted = vim.env.LP_ONLY and 0 or 1
  vim.wait(60000, function() return #vim.diagnostic.get(0) == wanted end, 50)
  log("LEFT", #vim.diagnostic.get(0))
  vim.cmd("write!")
  vim.lsp.stop_client(id)
end

-- Without this, an error would leave neovim waiting for keys.
local succeeded, problem = pcall(session)
if succeeded then
  vim.cmd("qa!")
end
io.stderr:write(tostring(problem) .. "\n")
vim.cmd("cquit")
