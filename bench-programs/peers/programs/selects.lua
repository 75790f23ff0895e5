local floor, byte = math.floor, string.byte
local seed = 42

local function rnd(m)
  seed = (seed * 1664525 + 1013904223) % 4294967296
  return floor(seed / 256) % m
end

local tables = {}

local function fill_tables()
  tables.teams, tables.staff = {}, {}
  for i = 0, 11 do
    tables.teams[i + 1] = { team = "team" .. i, place = ({ "york", "bath", "ely" })[i % 3 + 1], floor = floor(i / 4) }
  end
  for i = 0, 999 do
    local team = "team" .. rnd(12)
    local age = 18 + rnd(50)
    tables.staff[i + 1] = { id = i, team = team, age = age, pay = 1000 + rnd(4000) }
  end
end

local function index_of(words, word)
  for i, w in ipairs(words) do
    if w == word then return i end
  end
end

local function slice(words, from, to)
  local out = {}
  for i = from, to do out[#out + 1] = words[i] end
  return out
end

local function condition(words)
  local at = index_of(words, "or")
  if at then
    local left, right = condition(slice(words, 1, at - 1)), condition(slice(words, at + 1, #words))
    return function(row) return left(row) or right(row) end
  end
  at = index_of(words, "and")
  if at then
    local left, right = condition(slice(words, 1, at - 1)), condition(slice(words, at + 1, #words))
    return function(row) return left(row) and right(row) end
  end
  local column, op, word = words[1], words[2], words[3]
  local n = tonumber(word)
  if not n then return function(row) return row[column] == word end end
  if op == "<" then return function(row) return row[column] < n end end
  if op == ">" then return function(row) return row[column] > n end end
  return function(row) return row[column] == n end
end

local function parse(text)
  local words, parts = {}, {}
  for word in text:gmatch("%S+") do words[#words + 1] = word end
  local function after(word)
    local at = index_of(words, word)
    return at and words[at + 1]
  end
  for part in words[2]:gmatch("[^,]+") do
    if part == "count" then
      parts[#parts + 1] = { kind = "count" }
    elseif part:sub(1, 4) == "sum:" then
      parts[#parts + 1] = { kind = "sum", name = part:sub(5) }
    else
      parts[#parts + 1] = { kind = "column", name = part }
    end
  end
  local filter = function() return true end
  local at = index_of(words, "where")
  if at then
    local stop = index_of(words, "group") or index_of(words, "most") or #words + 1
    filter = condition(slice(words, at + 1, stop - 1))
  end
  return {
    parts = parts, from = after("from"), joined = after("join"), filter = filter, group = after("group"),
    most = tonumber(after("most") or 1000),
  }
end

local function join_teams(rows, teams)
  local by_team, out = {}, {}
  for _, row in ipairs(teams) do by_team[row.team] = row end
  for i, row in ipairs(rows) do
    local both = {}
    for k, v in pairs(row) do both[k] = v end
    for k, v in pairs(by_team[row.team]) do both[k] = v end
    out[i] = both
  end
  return out
end

local function evaluated(part, rows)
  if part.kind == "column" then return rows[1][part.name] end
  if part.kind == "count" then return #rows end
  local sum = 0
  for _, row in ipairs(rows) do sum = sum + row[part.name] end
  return sum
end

local function answer(query)
  local rows = tables[query.from]
  if query.joined then rows = join_teams(rows, tables[query.joined]) end
  local groups, places, i = {}, {}, 0
  for _, row in ipairs(rows) do
    if query.filter(row) then
      local key = i
      i = i + 1
      if query.group then key = row[query.group] end
      local group = places[key]
      if group then
        group[#group + 1] = row
      else
        groups[#groups + 1] = { row }
        places[key] = groups[#groups]
      end
    end
  end
  local out = {}
  for k, group in ipairs(groups) do
    local row, words = {}, {}
    for j, part in ipairs(query.parts) do
      local v = evaluated(part, group)
      row[j] = v
      words[j] = type(v) == "number" and ("%08d"):format(v) or v
    end
    out[k] = { key = table.concat(words, " "), row = row }
  end
  table.sort(out, function(a, b) return a.key < b.key end)
  local found = {}
  for k = 1, math.min(query.most, #out) do found[k] = out[k].row end
  return found
end

local function bench(n)
  fill_tables()
  local sum = 0
  for _ = 1, n do
    local older = 30 + rnd(20)
    local younger = 30 + rnd(30)
    local team = rnd(12)
    for _, question in ipairs({
      ("select id,pay from staff where age > %d and pay < 2500 most 20"):format(older),
      ("select team,count,sum:pay from staff where age < %d or team = team%d group team"):format(younger, team),
      ("select place,sum:pay,count from staff join teams where floor = %d group place"):format(rnd(3)),
    }) do
      for _, row in ipairs(answer(parse(question))) do
        for _, v in ipairs(row) do
          local x = type(v) == "number" and v or #v * 256 + byte(v, #v)
          sum = (sum * 31 + x) % 4294967296
        end
      end
    end
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 350))))
