use serde_json::{Value, json};
fn main() {
    let mut bad = 0;
    for l in std::fs::read_to_string("../shared/vectors/extract.jsonl")
        .unwrap()
        .lines()
    {
        let v: Value = serde_json::from_str(l).unwrap();
        if v["options"]["qp"] == json!(true) {
            continue;
        }
        let t = v["text"].as_str().unwrap().as_bytes();
        let got:Vec<Value>=urlint::find(t).filter(|c|c.delimiter==urlint::Delimiter::Wrapper).map(|c|{
      let mut fl:Vec<String>=c.flags.iter().map(|f|{let r=urlint::Rule::from(f).name().to_string(); if r=="unterminated-wrapper"{"unterminated".into()}else{r}}).collect(); fl.sort();
      json!({"url":std::str::from_utf8(c.url()).unwrap(),"fragment":c.fragment().map(|f|std::str::from_utf8(f).unwrap()),"outer":[c.outer.start,c.outer.end],"alternates":c.alternatives.iter().map(|a|std::str::from_utf8(&a.text).unwrap().to_string()).collect::<Vec<_>>(),"flags":fl})
    }).collect();
        if json!(got) != v["expect"] {
            bad += 1;
            println!(
                "{} {:?}\n want {}\n got  {}",
                v["id"],
                v["text"],
                v["expect"],
                json!(got)
            );
        }
    }
    println!("bad {bad}");
}
