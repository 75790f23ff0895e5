local floor, byte = math.floor, string.byte
local LINES = 1000
local seed = 42

local function rnd(m)
  seed = (seed * 1664525 + 1013904223) % 4294967296
  return floor(seed / 256) % m
end

local function vocabulary(n)
  local syllables = { "ka", "lo", "mi", "ren", "tas", "vel", "dor", "an", "qui", "est", "bra" }
  local words = {}
  for i = 1, n do
    local word = ""
    for _ = 1, 1 + rnd(3) do word = word .. syllables[rnd(#syllables) + 1] end
    words[i] = rnd(8) == 0 and word:sub(1, 1):upper() .. word:sub(2) or word
  end
  return words
end

local function prose(words)
  local ends = { "", "", "", "", ",", ".", "!", ";" }
  local lines = {}
  for i = 1, LINES do
    local line = {}
    for k = 1, 6 + rnd(8) do
      local word = words[rnd(1 + rnd(#words)) + 1]
      line[k] = word .. ends[rnd(8) + 1]
    end
    lines[i] = table.concat(line, " ")
  end
  return table.concat(lines, "\n")
end

local function normal(word)
  return word:gsub("%A+$", ""):lower()
end

-- Sorted pairs of a table, and how many there are.
local function ranking(counts)
  local pairs_ = {}
  for key, count in pairs(counts) do pairs_[#pairs_ + 1] = { key, count } end
  table.sort(pairs_, function(a, b)
    if a[2] ~= b[2] then return a[2] > b[2] end
    return a[1] < b[1]
  end)
  return pairs_
end

local function bench(n)
  local text, sum = prose(vocabulary(600)), 0
  for _ = 1, n do
    local counts, neighbours = {}, {}
    for line in text:gmatch("[^\n]+") do
      local last
      for part in line:gmatch("%S+") do
        local word = normal(part)
        counts[word] = (counts[word] or 0) + 1
        if last then
          local pair = last .. " " .. word
          neighbours[pair] = (neighbours[pair] or 0) + 1
        end
        last = word
      end
    end
    local ranked, ranked_pairs = ranking(counts), ranking(neighbours)
    for i = 1, 50 do
      local word, count = ranked[i][1], ranked[i][2]
      sum = (sum * 31 + byte(word) * 1000 + #word * 100 + count) % 4294967296
    end
    for i = 1, 50 do
      local a, b = ranked_pairs[i][1]:match("(%S+) (%S+)")
      sum = (sum * 31 + byte(a) * 1000 + #b * 100 + ranked_pairs[i][2]) % 4294967296
    end
    sum = (sum + #ranked * 7 + #ranked_pairs) % 4294967296
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 80))))
