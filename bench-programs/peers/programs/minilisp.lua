local program = [[
  (define fib (lambda (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))
  (define range (lambda (a b) (if (< a b) (cons a (range (+ a 1) b)) (quote ()))))
  (define map (lambda (f xs) (if (empty xs) xs (cons (f (first xs)) (map f (rest xs))))))
  (define fold (lambda (f start xs) (if (empty xs) start (fold f (f start (first xs)) (rest xs)))))
  (define add (lambda (n) (lambda (x) (+ x n))))
  (define even (lambda (n) (if (= n 0) 1 (odd (- n 1)))))
  (define odd (lambda (n) (if (= n 0) 0 (even (- n 1)))))
  (define loop (lambda (i sum) (if (= i 0) sum (loop (- i 1) (% (+ (* sum 7) i) 10007)))))
  (+ (fib 14) (+ (fold + 0 (map (add 5) (range 1 60))) (+ (even 300) (loop 1000 1))))]]

-- Names are strings, numbers are numbers, lists are tables without a body, lambdas have one.
local function look_up(scope, name)
  local s = scope
  while s do
    local value = s.names[name]
    if value ~= nil then return value end
    s = s.outer
  end
  error(name .. " is not known")
end

local Reader = {}
Reader.__index = Reader

function Reader:read()
  local word = self.words[self.at]
  self.at = self.at + 1
  if word == "(" then
    local values = {}
    while self.words[self.at] ~= ")" do values[#values + 1] = self:read() end
    self.at = self.at + 1
    return values
  end
  return tonumber(word) or word
end

local function evaluate(e, scope)
  while true do
    if type(e) == "string" then return look_up(scope, e) end
    if type(e) ~= "table" or e.body then return e end
    local name = e[1]
    if name == "quote" then
      return e[2]
    elseif name == "lambda" then
      return { names = e[2], body = e[3], scope = scope }
    elseif name == "define" then
      if scope.names[e[2]] == nil then scope.count = scope.count + 1 end
      scope.names[e[2]] = evaluate(e[3], scope)
      return 0
    elseif name == "if" then
      e = evaluate(e[2], scope) ~= 0 and e[3] or e[4]
    elseif name == "cons" then
      local out = { (evaluate(e[2], scope)) }
      for i, value in ipairs(evaluate(e[3], scope)) do out[i + 1] = value end
      return out
    elseif name == "first" then
      return evaluate(e[2], scope)[1]
    elseif name == "rest" then
      local values, out = evaluate(e[2], scope), {}
      for i = 2, #values do out[i - 1] = values[i] end
      return out
    elseif name == "empty" then
      return #evaluate(e[2], scope) == 0 and 1 or 0
    else
      local values = {}
      for i, part in ipairs(e) do values[i] = evaluate(part, scope) end
      local f = values[1]
      if type(f) == "function" then return f(values[2], values[3]) end
      local names = {}
      for i, parameter in ipairs(f.names) do names[parameter] = values[i + 1] end
      scope = { names = names, outer = f.scope, count = #f.names }
      e = f.body
    end
  end
end

local function bench(n)
  local known = {
    ["+"] = function(a, b) return a + b end,
    ["-"] = function(a, b) return a - b end,
    ["*"] = function(a, b) return a * b end,
    ["%"] = function(a, b) return a % b end,
    ["<"] = function(a, b) return a < b and 1 or 0 end,
    ["="] = function(a, b) return a == b and 1 or 0 end,
  }
  local sum = 0
  for i = 0, n - 1 do
    local words = {}
    for word in program:gsub("[()]", " %0 "):gmatch("%S+") do words[#words + 1] = word end
    local reader = setmetatable({ words = words, at = 1 }, Reader)
    local scope = { names = { seed = i }, outer = { names = known }, count = 1 }
    local last = 0
    while reader.at <= #words do last = evaluate(reader:read(), scope) end
    if type(last) == "number" then sum = (sum * 31 + last + scope.count) % 4294967296 end
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 150))))
