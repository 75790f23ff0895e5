/* Fills tables of SQLite in memory, and asks them. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static int row(void *unused, int columns, char **values, char **names) {
    for (int at = 0; at < columns; at++) printf("%s%s", at ? "|" : "", values[at] ? values[at] : "");
    printf("\n");
    return 0;
}

static void run(sqlite3 *db, const char *sql) {
    char *error = 0;
    if (sqlite3_exec(db, sql, row, 0, &error)) {
        printf("%s\n", error);
        exit(1);
    }
}

int main(int argc, char **argv) {
    int rows = argc > 1 ? atoi(argv[1]) : 30000;
    sqlite3 *db;
    sqlite3_stmt *insert;
    if (sqlite3_open(":memory:", &db)) return 1;
    run(db, "pragma temp_store = 2; create table items(id integer primary key, kind int, price real, name text);"
            "create table kinds(kind int, name text); create index by_kind on items(kind)");
    run(db, "begin");
    sqlite3_prepare_v2(db, "insert into items values(?, ?, ?, ?)", -1, &insert, 0);
    unsigned state = 7;
    for (int id = 0; id < rows; id++) {
        char name[32];
        state = state * 1664525u + 1013904223u;
        snprintf(name, sizeof name, "item %u", state >> 12);
        sqlite3_bind_int(insert, 1, id);
        sqlite3_bind_int(insert, 2, (state >> 20) % 97);
        sqlite3_bind_double(insert, 3, (state >> 8) % 10000 / 100.0);
        sqlite3_bind_text(insert, 4, name, -1, SQLITE_TRANSIENT);
        sqlite3_step(insert);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    run(db, "insert into kinds select distinct kind, 'kind ' || kind from items; commit");
    run(db, "select count(*), round(sum(price), 2), max(name) from items");
    run(db, "select k.name, count(*), round(avg(i.price), 3) from items i join kinds k using(kind)"
            " where i.price > 20 group by k.name order by 2 desc, 1 limit 5");
    run(db, "select count(*) from items a where exists(select 1 from items b where b.kind = a.kind and b.price < 0.1)");
    run(db, "update items set price = price * 1.1 where kind % 3 = 0; delete from items where name like '%77%'");
    run(db, "with recursive n(x) as (select 1 union all select x + 1 from n where x < 200000) select sum(x * x % 7) from n");
    run(db, "select count(*), round(sum(price), 2) from items");
    return sqlite3_close(db);
}
