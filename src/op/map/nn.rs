//! The pointwise functions of neural networks.

use crate::op::lanes::{LaneFn, kernel1, kernel2, map1, map2, pick, wide1};
use crate::op::math::{erf, exp, gamma, hyper, log};
use crate::op::scalar::{Int, Real, itself};
use crate::op::{Group, MapRow, rule};
use crate::tensor::DType;

fn sigmoid(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        single => kernel1!(exp::sigmoid_f32, T => T);
        double => kernel1!(exp::sigmoid, T => T))
}

fn logsigmoid(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel1!(log::logsigmoid, T))
}

fn softplus(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel1!(log::softplus, T))
}

fn relu(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        unsigned => map1!(itself, T => T);
        signed => map1!(Int::relu, T => T);
        floats => map1!(Real::relu, T => T))
}

fn relu6(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: ints => map1!(Int::relu6, T => T); floats => map1!(Real::relu6, T => T))
}

fn leaky_relu(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => map2!(Real::leaky_relu, T, T => T))
}

fn elu(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel2!(hyper::elu, T))
}

fn selu(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel1!(hyper::selu, T))
}

fn gelu(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: single => kernel1!(erf::gelu_f32, T => T); double => kernel1!(erf::gelu, T => T))
}

fn gelu_tanh(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel1!(erf::gelu_tanh, T))
}

fn silu(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        single => kernel1!(exp::silu_f32, T => T);
        double => kernel1!(exp::silu, T => T))
}

fn mish(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => wide1!(gamma::mish, T => T))
}

fn hardsigmoid(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => map1!(Real::hard_sigmoid, T => T))
}

fn hardswish(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => map1!(Real::hard_swish, T => T))
}

pub static ROWS: &[MapRow] = &[
    MapRow::new("relu", 1, rule::ordered_numeric, relu, Group::Nn)
        .help(
            "relu(x)",
            "x where it is positive, else 0; nan stays nan. Integers keep their dtype.",
            &["relu(array([-1.0, 2.0, nan]))"],
        )
        .like("", "torch.relu")
        .see(&["leaky_relu", "gelu", "maximum"]),
    MapRow::new("relu6", 1, rule::ordered_numeric, relu6, Group::Nn)
        .help("relu6(x)", "x limited to [0, 6].", &["relu6(array([-1.0, 2.0, 8.0]))"])
        .like("", "torch.nn.functional.relu6")
        .see(&["relu", "clip", "hardswish"]),
    MapRow::new("leaky_relu", 2, rule::real_float, leaky_relu, Group::Nn)
        .help(
            "leaky_relu(x, negative_slope=0.01)",
            "x where it is positive, else negative_slope * x.",
            &["leaky_relu(array([-1.0, 2.0]))", "leaky_relu(array([-1.0, 2.0]), 0.2)"],
        )
        .like("", "torch.nn.functional.leaky_relu")
        .see(&["relu", "elu"]),
    MapRow::new("elu", 2, rule::real_float, elu, Group::Nn)
        .cost(22)
        .help(
            "elu(x, alpha=1.0)",
            "x where it is positive, else alpha * (exp(x) - 1).",
            &["elu(array([-1.0, 0.0, 2.0]))"],
        )
        .like("", "torch.nn.functional.elu")
        .see(&["selu", "relu", "expm1"]),
    MapRow::new("selu", 1, rule::real_float, selu, Group::Nn)
        .cost(24)
        .help(
            "selu(x)",
            "elu scaled by constants that keep mean 0 and variance 1 through layers.",
            &["selu(array([-1.0, 0.0, 2.0]))"],
        )
        .like("", "torch.nn.functional.selu")
        .see(&["elu"]),
    MapRow::new("gelu", 1, rule::real_float, gelu, Group::Nn)
        .cost(30)
        .help(
            "gelu(x)",
            "x times the chance that a standard normal number is below x, right in the lower tail too.",
            &["gelu(array([-3.0, 0.0, 3.0]))"],
        )
        .like("", "torch.nn.functional.gelu")
        .see(&["gelu_tanh", "silu", "erf"]),
    MapRow::new("gelu_tanh", 1, rule::real_float, gelu_tanh, Group::Nn)
        .cost(26)
        .help(
            "gelu_tanh(x)",
            "The older approximation of gelu by tanh, as GPT-2 and others were trained with it.",
            &["gelu_tanh(array([-3.0, 0.0, 3.0])) - gelu(array([-3.0, 0.0, 3.0]))"],
        )
        .like("", "torch.nn.functional.gelu(x, approximate=\"tanh\")")
        .see(&["gelu"]),
    MapRow::new("silu", 1, rule::real_float, silu, Group::Nn)
        .alias(&["swish"])
        .cost(22)
        .help("silu(x)", "x * sigmoid(x).", &["silu(array([-20.0, 0.0, 20.0]))"])
        .like("", "torch.nn.functional.silu")
        .see(&["sigmoid", "gelu"]),
    MapRow::new("mish", 1, rule::real_float, mish, Group::Nn)
        .cost(50)
        .help("mish(x)", "x * tanh(softplus(x)).", &["mish(array([-1.0, 0.0, 2.0]))"])
        .like("", "torch.nn.functional.mish")
        .see(&["silu", "softplus"]),
    MapRow::new("hardsigmoid", 1, rule::real_float, hardsigmoid, Group::Nn)
        .cost(4)
        .help(
            "hardsigmoid(x)",
            "x / 6 + 1 / 2, limited to [0, 1]: a sigmoid of straight lines.",
            &["hardsigmoid(array([-4.0, 0.0, 4.0]))"],
        )
        .like("", "torch.nn.functional.hardsigmoid")
        .see(&["sigmoid", "hardswish"]),
    MapRow::new("hardswish", 1, rule::real_float, hardswish, Group::Nn)
        .cost(4)
        .help("hardswish(x)", "x * hardsigmoid(x).", &["hardswish(array([-4.0, 1.0, 4.0]))"])
        .like("", "torch.nn.functional.hardswish")
        .see(&["silu", "hardsigmoid"]),
    MapRow::new("sigmoid", 1, rule::real_float, sigmoid, Group::Nn)
        .alias(&["expit"])
        .cost(20)
        .help(
            "sigmoid(x)",
            "1 / (1 + exp(-x)), the chance whose log odds are x.",
            &["sigmoid(array([0.0, 2.0, -1000.0]))"],
        )
        .like("", "torch.sigmoid")
        .see(&["logit", "logsigmoid", "silu", "tanh"]),
    MapRow::new("logsigmoid", 1, rule::real_float, logsigmoid, Group::Nn)
        .cost(40)
        .help("logsigmoid(x)", "log(sigmoid(x)) without underflow.", &["logsigmoid(array([0.0, -1000.0]))"])
        .like("", "torch.nn.functional.logsigmoid")
        .see(&["sigmoid", "softplus"]),
    MapRow::new("softplus", 1, rule::real_float, softplus, Group::Nn)
        .cost(40)
        .help(
            "softplus(x)",
            "log(1 + exp(x)) without overflow: a smooth relu.",
            &["softplus(array([-1000.0, 0.0, 1000.0]))"],
        )
        .like("", "torch.nn.functional.softplus")
        .see(&["relu", "logaddexp", "sigmoid"]),
];
