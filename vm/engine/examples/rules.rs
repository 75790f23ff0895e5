//! A rule engine over a type of the host: `cargo run -p holloway --example rules`.
//!
//! In: orders, which stay values of the host, and rules in Holloway. Out: what the rules did to the orders. The rules reach an order by
//! functions of the host only; a rule that asks for what must not be fails, and the others go on.

use holloway::{Config, Context, Engine, Function, Opaque};
use std::error::Error;
use std::fmt::Write as _;

/// An order of the shop, of which programs know no fields.
struct Order {
    customer: &'static str,
    cents: i64,
    discount: i64,
    tags: Vec<String>,
}

const RULES: &str = r#"
rule("large orders", fn(o: Order) -> bool {
    if o.cents() < 10000 { return false }
    o.discount(10)
    return true
})

rule("loyal customers", fn(o: Order) -> bool {
    match o.customer() {
        "Ada" | "Grace" => { o.tag("loyal")
            o.discount(5) }
        _ => { return false }
    }
    return true
})

rule("too generous", fn(o: Order) -> bool {
    o.discount(90)
    return true
})
"#;

/// Applies the rules to each order.
pub(crate) fn run() -> Result<String, Box<dyn Error>> {
    let mut engine = Engine::new(Config::default())?;
    let rules = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    engine.opaque::<Order>("Order")?;
    engine.function("cents", |order: &Order| order.cents)?;
    engine.function("customer", |order: &Order| order.customer.to_owned())?;
    engine.function("tag", |order: &mut Order, tag: &str| order.tags.push(tag.to_owned()))?;
    engine.function("discount", |order: &mut Order, percent: i64| match order.discount + percent {
        sum if sum <= 20 => {
            order.discount = sum;
            Ok(())
        }
        sum => Err(format!("a discount of {sum}% is too much")),
    })?;
    let known = std::sync::Arc::clone(&rules);
    engine.function("rule", move |_: &mut Context, name: String, rule: Function<(Opaque<Order>,), bool>| {
        known.lock().expect("nobody panicked").push((name, rule));
    })?;
    engine.load("rules.hw", RULES)?;
    engine.run()?;

    let rules = rules.lock().expect("nobody panicked").clone();
    let mut report = String::new();
    for (customer, cents) in [("Ada", 12_000), ("Bob", 15_000), ("Grace", 500)] {
        let order = Opaque::new(Order { customer, cents, discount: 0, tags: Vec::new() });
        for (name, rule) in &rules {
            match rule.call(&mut engine, (order.clone(),)) {
                Ok(true) => writeln!(report, "{customer}: {name}")?,
                Ok(false) => {}
                Err(error) => writeln!(report, "{customer}: {name} failed: {error}")?,
            }
        }
        order.with(|order| {
            let price = order.cents * (100 - order.discount) / 100;
            writeln!(report, "{} pays {price} {:?}", order.customer, order.tags)
        })??;
    }
    Ok(report)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run()?);
    Ok(())
}
