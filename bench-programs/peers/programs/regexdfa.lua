local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")
local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local band, bor, lshift, rshift, max, min = bit.band, bit.bor, bit.lshift, bit.rshift, math.max, math.min
local LOG = 65536
local DOT, STAR, PLUS, OPTION, DIGIT, WORD = 46, 42, 43, 63, 100 + 256, 119 + 256

local function compile(src)
  local p, i = { kind = {}, times = {}, size = 0 }, 1
  for k = 0, 63 do p.kind[k], p.times[k] = 0, 1 end
  while i <= #src do
    local c = src:byte(i)
    if c == STAR or c == PLUS or c == OPTION then
      p.times[p.size - 1] = c
    else
      if c == 92 then
        i = i + 1
        p.kind[p.size] = src:byte(i) + 256
      else
        p.kind[p.size] = c == DOT and DOT + 256 or c
      end
      p.size = p.size + 1
    end
    i = i + 1
  end
  return p
end

local function accepts(kind, c)
  if kind < 256 then return c == kind end
  if kind == DIGIT then return c >= 48 and c <= 57 end
  if kind == WORD then return c >= 97 and c <= 122 or c >= 48 and c <= 57 end
  return true
end

local function state(p, d, tried)
  local set = tried
  for i = 0, p.size - 1 do
    if band(rshift(set, i), 1) == 1 and (p.times[i] == STAR or p.times[i] == OPTION) then
      set = bor(set, lshift(2, i))
    end
  end
  for s = 0, d.count - 1 do
    if d.sets[s] == set then return s end
  end
  d.sets[d.count] = set
  d.count = d.count + 1
  return d.count - 1
end

local function follow(p, d, s, c)
  local set = 1
  for i = 0, p.size - 1 do
    if band(rshift(d.sets[s], i), 1) == 1 and accepts(p.kind[i], c) then
      set = bor(set, lshift(2, i))
      if p.times[i] == STAR or p.times[i] == PLUS then set = bor(set, lshift(1, i)) end
    end
  end
  return state(p, d, set)
end

local function search(p, d, text, start, stop)
  local sets, next_state, size, s = d.sets, d.next, p.size, 0
  for i = start, stop - 1 do
    local at = s * 256 + text[i]
    if next_state[at] < 0 then next_state[at] = follow(p, d, s, text[i]) end
    s = next_state[at]
    if band(rshift(sets[s], size), 1) == 1 then return i + 1 end
  end
  return -1
end

local function backtrack(p, text, atom, from, stop)
  local i = from
  for a = atom, p.size - 1 do
    local times = p.times[a]
    if times == 1 then
      if i >= stop or not accepts(p.kind[a], text[i]) then return -1 end
      i = i + 1
    else
      local least, most = i, stop
      if times == PLUS then least = i + 1 end
      if times == OPTION then most = min(i + 1, stop) end
      while i < most and accepts(p.kind[a], text[i]) do i = i + 1 end
      while i > least do
        local found = backtrack(p, text, a + 1, i, stop)
        if found >= 0 then return found end
        i = i - 1
      end
      if i < least then return -1 end
    end
  end
  return i
end

local function generate()
  local levels = { " ERROR", " WARN", " INFO", " INFO", " INFO", " INFO", " INFO", " INFO" }
  local events = { " request took ", " cache miss for key ", " disk nearly full at " }
  local log, clock = { data = {}, size = 0, starts = {}, lines = 0 }, 360000
  while log.size < LOG do
    clock = clock + rnd(4)
    local line = floor(clock / 10000) .. ":" .. clock % 10000
    line = line .. levels[rnd(8) + 1]
    line = line .. " [worker-" .. rnd(8) .. "] user=anna" .. rnd(100)
    line = line .. events[max(rnd(8) - 5, 0) + 1]
    line = line .. rnd(1000) .. "ms"
    log.starts[log.lines] = log.size
    for i = 1, #line do log.data[log.size + i - 1] = line:byte(i) end
    log.size = log.size + #line
    log.lines = log.lines + 1
  end
  log.starts[log.lines] = log.size
  return log
end

local function bench(n)
  local log, sum = generate(), 0
  for _, src in ipairs({ "WA?RN.*took \\d+ms", "user=\\w+ .*miss", "\\d\\d:\\d*5\\d? ERROR" }) do
    local p, d = compile(src), { sets = {}, next = {}, count = 0 }
    for i = 0, 65535 do d.next[i] = -1 end
    state(p, d, 1)
    for r = 0, n - 1 do
      for l = 0, log.lines - 1 do
        local start, stop = log.starts[l], log.starts[l + 1]
        sum = sum + search(p, d, log.data, start, stop) - start
        if (l + r) % 8 == 0 then
          local found, from = -1, start
          while from < stop and found < 0 do
            found = backtrack(p, log.data, 0, from, stop)
            from = from + 1
          end
          sum = sum + found * 7
        end
      end
    end
    sum = sum + d.count * 1000
  end
  return sum % 4294967296
end

print(string.format("%d", bench(tonumber(arg[1] or 800))))
