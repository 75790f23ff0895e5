local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local SIZE, SECTION = 32768, 4096
local PROSE, LOG, TABLE = 0, 1, 2
local STAR, DIGIT, LETTER, ANY = 42, 35, 64, 63

local rules = {
  { ("*error*"):byte(1, -1) }, { ("##:##:## warn*"):byte(1, -1) }, { ("*@=####? *"):byte(1, -1) },
  { ("*,9##.##,*,1##.##,*"):byte(1, -1) }, { ("+*-+*-+"):byte(1, -1) }, { ("*@@@@@@@@@ ??? *"):byte(1, -1) },
}
local buf, len = {}, 0

local function put(c)
  buf[len] = c
  len = len + 1
end

local function put_all(s)
  for i = 1, #s do put(s:byte(i)) end
end

local function letters(m)
  for _ = 1, m do put(97 + rnd(26)) end
end

local function digits(m)
  for _ = 1, m do put(48 + rnd(10)) end
end

local function put_line(kind)
  local last = len + 80 + rnd(120)
  if kind == PROSE then
    while len < last do
      if rnd(50) == 0 then put_all("error") else letters(1 + rnd(9)) end
      put(32)
    end
  elseif kind == LOG then
    digits(2)
    put(58)
    digits(2)
    put(58)
    digits(2)
    local level = rnd(8)
    put_all(level == 0 and " error" or level < 3 and " warn" or " info")
    while len < last do
      put(32)
      letters(1 + rnd(7))
      put(61)
      digits(1 + rnd(5))
    end
  elseif kind == TABLE then
    while len < last + 150 do
      digits(3)
      put(46)
      digits(2)
      put(44)
    end
  else
    put(43)
    while len < last do
      local m = 20 + rnd(40)
      for _ = 1, m do put(45) end
      put(43)
    end
  end
  put(10)
end

local function generate()
  len = 0
  while len < SIZE do put_line(floor(len / SECTION) % 4) end
end

local function matches(rule, src, from, to)
  local m, p, s, star, mark = #rule, 1, from, 0, 0
  while s < to do
    local c, want, fits = src[s], 0, false
    if p <= m then want = rule[p] end
    if want == STAR then
      star = p
      mark = s
      p = p + 1
    else
      if p <= m then
        if want == DIGIT then fits = c >= 48 and c <= 57
        elseif want == LETTER then fits = c >= 97 and c <= 122
        else fits = want == c or want == ANY
        end
      end
      if fits then
        p = p + 1
        s = s + 1
      elseif star > 0 then
        p = star + 1
        mark = mark + 1
        s = mark
      else
        return false
      end
    end
  end
  while p <= m and rule[p] == STAR do p = p + 1 end
  return p == m + 1
end

local function scan(src, r)
  local hash, found, from = r % 65536, 0, 0
  while from < len do
    local to = from
    while src[to] ~= 10 do to = to + 1 end
    for i = 1, #rules do
      if matches(rules[i], src, from, to) then
        found = found + 1
        hash = (hash * 31 + from + i - 1) % 16777216
      end
    end
    from = to + 1
  end
  return found * 100 + hash
end

local function bench(n)
  generate()
  local total = 0
  for r = 0, n - 1 do total = total + scan(buf, r) end
  return total
end

print(string.format("%d", bench(tonumber(arg[1] or 1500))))
