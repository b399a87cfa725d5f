//! The targets of the fuzzer, on the inputs that are kept of them.

#[path = "../targets/replay.rs"]
mod replay;
#[path = "../targets/mod.rs"]
pub(crate) mod targets;

use replay::replay;

#[test]
fn each_target_holds_on_its_inputs() {
    for &(name, target) in targets::ALL {
        replay(name, target);
    }
}
