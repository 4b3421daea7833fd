//! The rows of random numbers.

use super::Func;
use super::random::*;
use crate::op::Group;

pub static ROWS: [Func; 15] = [
    Func::new("seed", seed, Group::Random)
        .alias(&["manual_seed"])
        .help(
            "seed(n)",
            "Starts the random numbers anew: the same seed gives the same numbers, whatever the thread count.",
            &["seed(7)\nrand(2)"],
        )
        .gives("None.")
        .like("np.random.seed", "torch.manual_seed")
        .see(&["rand", "generator"]),
    Func::new("generator", generator, Group::Random)
        .help(
            "generator(name=None)",
            "The random generator of the session, or chooses it: philox (counter-based, the \
             default), pcg64, xoshiro \
             or chacha.",
            &["generator()"],
        )
        .gives("The name, a string.")
        .like("np.random.Generator", "torch.Generator")
        .see(&["seed"]),
    Func::new("rand", rand, Group::Random)
        .alias(&["random"])
        .help(
            "rand(*shape, dtype=None, generator=None)",
            "Uniform numbers from 0 to before 1.",
            &["rand(2, 3)", "rand((2, 2), dtype=f64)"],
        )
        .gives("The shape given; the default float unless a dtype is given.")
        .like("np.random.rand", "torch.rand")
        .see(&["randn", "uniform", "seed"]),
    Func::new("randn", randn, Group::Random)
        .alias(&["standard_normal"])
        .help("randn(*shape, dtype=None, generator=None)", "Standard normal numbers.", &["randn(2, 3)"])
        .gives("The shape given; the default float unless a dtype is given.")
        .like("np.random.randn", "torch.randn")
        .see(&["rand", "normal", "seed"]),
    Func::new("uniform", uniform, Group::Random)
        .help(
            "uniform(low=0.0, high=1.0, size=None, dtype=None, generator=None)",
            "Uniform numbers from low to before high.",
            &["uniform(-1, 1, (2, 2))"],
        )
        .gives(
            "size, or the shape to which the parameters broadcast; the default float unless a dtype \
            is given.",
        )
        .like("np.random.uniform", "torch.Tensor.uniform_")
        .see(&["rand", "randint"]),
    Func::new("normal", normal, Group::Random)
        .help(
            "normal(loc=0.0, scale=1.0, size=None, dtype=None, generator=None)",
            "Normal numbers with mean loc and standard deviation scale.",
            &["normal(5, 0.1, 3)"],
        )
        .gives(
            "size, or the shape to which the parameters broadcast; the default float unless a dtype \
            is given.",
        )
        .like("np.random.normal", "torch.normal")
        .see(&["randn"]),
    Func::new("exponential", exponential, Group::Random)
        .help(
            "exponential(scale=1.0, size=None, dtype=None, generator=None)",
            "Exponential numbers with mean scale.",
            &["exponential(2.0, 3)"],
        )
        .gives(
            "size, or the shape to which the parameters broadcast; the default float unless a dtype \
            is given.",
        )
        .like("np.random.exponential", "torch.Tensor.exponential_")
        .see(&["gamma", "poisson"]),
    Func::new("randint", randint, Group::Random)
        .alias(&["integers"])
        .help(
            "randint(low, high=None, size=None, dtype=None, generator=None)",
            "Integers from low (0 where only one is given) to before high; i64.",
            &["randint(0, 10, 5)", "randint(6, size=(2, 2))"],
        )
        .gives("size, or no axes; i64 unless a dtype is given.")
        .like("np.random.randint", "torch.randint")
        .see(&["rand", "randperm", "choice"]),
    Func::new("randperm", randperm, Group::Random)
        .help("randperm(n, generator=None)", "The integers from 0 to before n in random order.", &["randperm(5)"])
        .gives("[n]; i64.")
        .like("np.random.permutation", "torch.randperm")
        .see(&["permutation", "choice"]),
    Func::new("permutation", permutation, Group::Random)
        .help(
            "permutation(x, generator=None)",
            "A copy with the first axis in random order; of an integer the integers below it.",
            &["permutation(array([10, 20, 30]))"],
        )
        .gives("Shape and dtype of x; of an integer [n] in i64.")
        .like("np.random.permutation", "")
        .see(&["randperm", "shuffle"]),
    Func::new("shuffle", permutation, Group::Random)
        .help("shuffle(x, generator=None)", "A copy with the first axis in random order.", &["shuffle(arange(4))"])
        .gives("Shape and dtype of x.")
        .like("np.random.shuffle", "")
        .see(&["permutation"]),
    Func::new("bernoulli", bernoulli, Group::Random)
        .help(
            "bernoulli(p, size=None, dtype=None, generator=None)",
            "1 with probability p, else 0.",
            &["bernoulli(0.5, 4)", "bernoulli(array([0.0, 1.0]))"],
        )
        .gives("size, or the shape of p; the default float unless a dtype is given.")
        .like("np.random.binomial", "torch.bernoulli")
        .see(&["rand", "choice"]),
    Func::new("choice", choice, Group::Random)
        .help(
            "choice(a, size=None, replace=True, p=None, generator=None)",
            "Elements chosen from a vector, or from the integers below a number; with or without \
             putting back, with \
             probabilities p.",
            &["choice(5, 3)", "choice(array([10, 20, 30]), 2, replace=False)"],
        )
        .gives("size, or no axes; the dtype of a, i64 of an integer.")
        .like("np.random.choice", "torch.multinomial")
        .see(&["randint", "permutation"]),
    Func::new("gamma", gamma, Group::Random)
        .help(
            "gamma(shape, scale=1.0, size=None, dtype=None)",
            "Numbers of the gamma distribution.",
            &["gamma(2.0, size=3)"],
        )
        .gives("size, or no axes; the default float unless a dtype is given.")
        .like("np.random.gamma", "")
        .see(&["exponential", "poisson"]),
    Func::new("poisson", poisson, Group::Random)
        .help(
            "poisson(lam=1.0, size=None)",
            "Counts of the Poisson distribution with mean lam; i64.",
            &["poisson(4.0, 5)"],
        )
        .gives("size, or the shape of lam; i64.")
        .like("np.random.poisson", "torch.poisson")
        .see(&["exponential", "gamma"]),
];
