local floor, byte = math.floor, string.byte
local seed = 42

local function rnd(m)
  seed = (seed * 1664525 + 1013904223) % 4294967296
  return floor(seed / 256) % m
end

local function room(name, text, ways, things)
  local set = {}
  for _, thing in ipairs(things) do set[thing] = true end
  return { name = name, text = text, ways = ways, things = set, count = #things, visits = 0 }
end

local function world()
  local game = { rooms = {}, order = {}, at = "lane", bag = {}, moves = 0, handlers = {}, out = {} }
  for i, r in ipairs({
    room("lane", "A lane worn deep.", { north = "gate", east = "wood" }, { "stick" }),
    room("gate", "A gate of iron.", { south = "lane" }, {}),
    room("wood", "Old oaks.", { west = "lane", east = "hut", north = "pond" }, { "nut", "leaf" }),
    room("hut", "It smells of soup.", { west = "wood" }, { "key", "lamp" }),
    room("pond", "Still water.", { south = "wood" }, { "frog" }),
    room("cave", "Dark and dry.", { south = "gate" }, { "gold" }),
  }) do
    game.rooms[r.name] = r
    game.order[i] = r
  end
  return game
end

local directions = { north = true, south = true, east = true, west = true }

local function parse(line)
  local words = {}
  for word in line:lower():gmatch("%S+") do words[#words + 1] = word end
  local verb, count = words[1], #words
  if (verb == "go" or verb == "walk") and count == 2 then return { kind = "go", way = words[2] } end
  if directions[verb] then return { kind = "go", way = verb } end
  if (verb == "take" or verb == "get") and count > 1 then return { kind = "take", thing = words[count] } end
  if verb == "drop" and count == 2 then return { kind = "drop", thing = words[2] } end
  if verb == "use" and count == 4 and words[3] == "on" then
    return { kind = "use", thing = words[2], target = words[4] }
  end
  if verb == "look" then return { kind = "look" } end
  return { kind = "unknown", line = line }
end

local function on(game, kind, handler)
  local handlers = game.handlers[kind]
  if handlers then handlers[#handlers + 1] = handler else game.handlers[kind] = { handler } end
end

local function emit(game, kind, detail)
  for _, handler in ipairs(game.handlers[kind] or {}) do handler(detail) end
end

local function say(game, text) game.out[#game.out + 1] = text end

local function obey(game, command)
  local here = game.rooms[game.at]
  game.moves = game.moves + 1
  local kind, thing = command.kind, command.thing
  if kind == "go" then
    local target = here.ways[command.way]
    if target then
      game.at = target
      game.rooms[target].visits = game.rooms[target].visits + 1
      emit(game, "entered", target)
    else
      say(game, "You cannot go " .. command.way .. ".")
    end
  elseif kind == "take" then
    if here.things[thing] then
      here.things[thing] = nil
      here.count = here.count - 1
      game.bag[thing] = true
      emit(game, "got", thing)
    else
      say(game, "You see no " .. thing .. ".")
    end
  elseif kind == "drop" then
    if game.bag[thing] then
      game.bag[thing] = nil
      here.things[thing] = true
      here.count = here.count + 1
      emit(game, "lost", thing)
    else
      say(game, "You have no " .. thing .. ".")
    end
  elseif kind == "use" then
    if thing == "key" and command.target == "gate" and game.at == "gate" and game.bag.key then
      here.ways.north = "cave"
      emit(game, "opened", "gate")
    else
      say(game, "The " .. thing .. " does nothing to the " .. command.target .. ".")
    end
  elseif kind == "look" then
    local things = {}
    for name in pairs(here.things) do things[#things + 1] = name end
    table.sort(things)
    say(game, here.text .. " You see " .. (#things == 0 and "nothing" or table.concat(things, ", ")) .. ".")
  else
    say(game, 'What is "' .. command.line .. '"?')
  end
  emit(game, "tick", game.moves)
end

local things = { "stick", "nut", "leaf", "key", "lamp", "frog", "gold" }
local ways = { "north", "south", "east", "west" }

local function made(i)
  local k = rnd(12)
  if k < 4 then return ways[rnd(4) + 1] end
  if k == 4 then return "go " .. ways[rnd(4) + 1] end
  if k <= 7 then return "Take the " .. things[rnd(7) + 1] end
  if k == 8 then return "drop " .. things[rnd(7) + 1] end
  if k == 9 then return "use " .. things[rnd(7) + 1] .. " on gate" end
  if k == 10 then return "LOOK" end
  return "sing " .. i % 10
end

local function play(commands)
  local game, score, lit, seen = world(), 0, false, {}
  on(game, "entered", function(name)
    if not seen[name] then
      seen[name] = true
      score = score + 10
    end
  end)
  on(game, "entered", function(name)
    say(game, name == "cave" and not lit and "It is dark." or game.rooms[name].text)
  end)
  on(game, "got", function(thing) score = score + (thing == "gold" and 100 or #thing) end)
  on(game, "got", function(thing) if thing == "lamp" then lit = true end end)
  on(game, "lost", function(thing)
    score = score - #thing
    if thing == "lamp" then lit = false end
  end)
  on(game, "opened", function() score = score + 50 end)
  on(game, "tick", function(n) if n % 50 == 0 then score = score - 1 end end)
  for i = 0, commands - 1 do obey(game, parse(made(i))) end
  local sum = score + 1000
  for _, line in ipairs(game.out) do
    sum = (sum * 31 + #line * 256 + byte(line, floor(#line / 2) + 1)) % 4294967296
  end
  for _, r in ipairs(game.order) do sum = (sum * 31 + #r.name + r.visits + r.count) % 4294967296 end
  return sum
end

local function bench(n)
  local sum = 0
  for _ = 1, n do sum = (sum * 31 + play(1000)) % 4294967296 end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 1000))))
