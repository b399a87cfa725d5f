-- Neovim, from 0.7 on: `drive.py` starts it and reads what it reports.

local task = vim.fn.json_decode(os.getenv("TASK"))
local report = { steps = {} }

local function finish(fault)
  report.fault = fault
  vim.fn.writefile({ vim.fn.json_encode(report) }, task.report)
  vim.cmd(fault and "cquit!" or "qall!")
end

-- Returns the row and the column of a text, in bytes from 0.
local function find(text)
  for row, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    local column = line:find(text, 1, true)
    if column then
      return row - 1, column - 1
    end
  end
  error(text .. " is not in the buffer")
end

local function rules()
  local rules = vim.tbl_map(function(diagnostic)
    return diagnostic.code
  end, vim.diagnostic.get(0))
  table.sort(rules)
  return table.concat(rules, " ")
end

-- Waits for the diagnostics of these rules, and reports all that is there.
local function step(name)
  vim.wait(10000, function()
    return rules() == task.rules[name]
  end, 20)
  local diagnostics = vim.tbl_map(function(diagnostic)
    return {
      rule = diagnostic.code,
      severity = diagnostic.severity,
      message = diagnostic.message,
      start = { diagnostic.lnum, diagnostic.col },
      ["end"] = { diagnostic.end_lnum, diagnostic.end_col },
    }
  end, vim.diagnostic.get(0))
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n") .. "\n"
  report.steps[name] = { text = text, diagnostics = diagnostics }
end

-- Returns the server, once it has started.
local function client()
  local all = (vim.lsp.get_clients or vim.lsp.get_active_clients)()
  return all[1] and all[1].initialized and all[1]
end

local function drive()
  vim.cmd("filetype on")
  assert(loadstring(task.recipes[vim.lsp.config and 1 or 2]))()
  vim.cmd("edit " .. vim.fn.fnameescape(task.document))
  assert(vim.wait(10000, client, 20), "the server does not start")
  local client = client()
  report.encoding = client.offset_encoding
  report.pulls = client.server_capabilities.diagnosticProvider ~= nil
  report.editor = "Neovim " .. table.concat({ vim.version().major, vim.version().minor, vim.version().patch }, ".")
  step("open")

  for _, edit in ipairs(task.edits) do
    local row, column = find(edit[1])
    vim.api.nvim_buf_set_text(0, row, column, row, column + #edit[1], vim.split(edit[2], "\n"))
  end
  step("edit")

  vim.ui.select = function(items, options, choose)
    for _, item in ipairs(items) do
      if options.format_item(item):find(task.title, 1, true) then
        return choose(item)
      end
    end
    error("no action is called " .. task.title)
  end
  local row, column = find(task.fixed)
  vim.api.nvim_win_set_cursor(0, { row + 1, column })
  vim.lsp.buf.code_action()
  step("fix")

  local params = { textDocument = vim.lsp.util.make_text_document_params() }
  local answers = vim.lsp.buf_request_sync(0, "textDocument/documentLink", params, 10000)
  report.links = answers[client.id].result

  client.stop()
  assert(vim.wait(10000, function()
    return client.is_stopped()
  end, 20), "the server does not end")
end

local ok, fault = xpcall(drive, debug.traceback)
finish(not ok and fault or nil)
