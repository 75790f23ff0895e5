import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

final class adventure {
    sealed interface Command permits Go, Take, Drop, Use, Look, Unknown {}

    record Go(String way) implements Command {}

    record Take(String thing) implements Command {}

    record Drop(String thing) implements Command {}

    record Use(String thing, String target) implements Command {}

    record Look() implements Command {}

    record Unknown(String line) implements Command {}

    /** What happened, where or to what, and when. */
    record Event(String kind, String name, int time) {}

    static final class Room {
        final String text;
        final Map<String, String> ways = new HashMap<>();
        final Set<String> things;
        int visits = 0;

        Room(String text, Map<String, String> ways, String... things) {
            this.text = text;
            this.ways.putAll(ways);
            this.things = new HashSet<>(List.of(things));
        }
    }

    static long seed = 42;

    static int rnd(int m) {
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFFL;
        return (int) (seed >> 8) % m;
    }

    static Command parse(String line) {
        String[] words = line.toLowerCase(Locale.ROOT).split(" ");
        int count = words.length;
        switch (words[0]) {
            case "go": case "walk":
                if (count == 2) return new Go(words[1]);
                break;
            case "north": case "south": case "east": case "west": return new Go(words[0]);
            case "take": case "get":
                if (count > 1) return new Take(words[count - 1]);
                break;
            case "drop":
                if (count == 2) return new Drop(words[1]);
                break;
            case "use":
                if (count == 4 && words[2].equals("on")) return new Use(words[1], words[3]);
                break;
            case "look": return new Look();
            default:
        }
        return new Unknown(line);
    }

    static final class Game {
        final Map<String, Room> rooms = new LinkedHashMap<>();
        final Set<String> bag = new HashSet<>();
        final Map<String, List<Consumer<Event>>> handlers = new HashMap<>();
        final List<String> out = new ArrayList<>();
        final Set<String> seen = new HashSet<>();
        String at = "lane";
        int moves = 0, score = 0;
        boolean lit = false;

        Game() {
            rooms.put("lane", new Room("A lane worn deep.", Map.of("north", "gate", "east", "wood"), "stick"));
            rooms.put("gate", new Room("A gate of iron.", Map.of("south", "lane")));
            rooms.put("wood", new Room("Old oaks.", Map.of("west", "lane", "east", "hut", "north", "pond"), "nut", "leaf"));
            rooms.put("hut", new Room("It smells of soup.", Map.of("west", "wood"), "key", "lamp"));
            rooms.put("pond", new Room("Still water.", Map.of("south", "wood"), "frog"));
            rooms.put("cave", new Room("Dark and dry.", Map.of("south", "gate"), "gold"));
        }

        void on(String kind, Consumer<Event> handler) {
            handlers.computeIfAbsent(kind, k -> new ArrayList<>()).add(handler);
        }

        void emit(Event event) {
            for (Consumer<Event> handler : handlers.getOrDefault(event.kind, List.of())) handler.accept(event);
        }

        void say(String text) { out.add(text); }

        void obey(Command command) {
            Room here = rooms.get(at);
            moves++;
            if (command instanceof Go go) {
                String target = here.ways.get(go.way);
                if (target != null) {
                    at = target;
                    rooms.get(at).visits++;
                    emit(new Event("entered", at, moves));
                } else {
                    say("You cannot go " + go.way + ".");
                }
            } else if (command instanceof Take take) {
                if (here.things.remove(take.thing)) {
                    bag.add(take.thing);
                    emit(new Event("got", take.thing, moves));
                } else {
                    say("You see no " + take.thing + ".");
                }
            } else if (command instanceof Drop drop) {
                if (bag.remove(drop.thing)) {
                    here.things.add(drop.thing);
                    emit(new Event("lost", drop.thing, moves));
                } else {
                    say("You have no " + drop.thing + ".");
                }
            } else if (command instanceof Use use) {
                boolean fits = use.thing.equals("key") && use.target.equals("gate");
                if (fits && at.equals("gate") && bag.contains("key")) {
                    here.ways.put("north", "cave");
                    emit(new Event("opened", "gate", moves));
                } else {
                    say("The " + use.thing + " does nothing to the " + use.target + ".");
                }
            } else if (command instanceof Look) {
                String things = here.things.isEmpty() ? "nothing" : String.join(", ", new TreeSet<>(here.things));
                say(here.text + " You see " + things + ".");
            } else if (command instanceof Unknown unknown) {
                say("What is \"" + unknown.line + "\"?");
            }
            emit(new Event("tick", "", moves));
        }
    }

    static final String[] THINGS = {"stick", "nut", "leaf", "key", "lamp", "frog", "gold"};
    static final String[] WAYS = {"north", "south", "east", "west"};

    static String made(int i) {
        return switch (rnd(12)) {
            case 0, 1, 2, 3 -> WAYS[rnd(4)];
            case 4 -> "go " + WAYS[rnd(4)];
            case 5, 6, 7 -> "Take the " + THINGS[rnd(7)];
            case 8 -> "drop " + THINGS[rnd(7)];
            case 9 -> "use " + THINGS[rnd(7)] + " on gate";
            case 10 -> "LOOK";
            default -> "sing " + i % 10;
        };
    }

    static long play(int commands) {
        Game game = new Game();
        game.on("entered", e -> { if (game.seen.add(e.name)) game.score += 10; });
        game.on("entered", e -> game.say(e.name.equals("cave") && !game.lit ? "It is dark." : game.rooms.get(e.name).text));
        game.on("got", e -> game.score += e.name.equals("gold") ? 100 : e.name.length());
        game.on("got", e -> { if (e.name.equals("lamp")) game.lit = true; });
        game.on("lost", e -> {
            game.score -= e.name.length();
            if (e.name.equals("lamp")) game.lit = false;
        });
        game.on("opened", e -> game.score += 50);
        game.on("tick", e -> { if (e.time % 50 == 0) game.score--; });
        for (int i = 0; i < commands; i++) game.obey(parse(made(i)));
        long sum = game.score + 1000;
        for (String line : game.out) {
            sum = (sum * 31 + line.length() * 256 + line.charAt(line.length() / 2)) & 0xFFFFFFFFL;
        }
        for (Map.Entry<String, Room> entry : game.rooms.entrySet()) {
            Room room = entry.getValue();
            sum = (sum * 31 + entry.getKey().length() + room.visits + room.things.size()) & 0xFFFFFFFFL;
        }
        return sum;
    }

    static long bench(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum = (sum * 31 + play(1000)) & 0xFFFFFFFFL;
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 1000));
    }
}
