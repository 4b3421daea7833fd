//! How a product is cut: a matter of its shape alone, never of the number of threads, so that results are the same bits on any.

/// Batch count and extents of one product.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub batch: usize,
    pub m: usize,
    pub n: usize,
    pub k: usize,
}

impl Size {
    /// Matrix–vector: bound by memory, not by arithmetic.
    pub fn is_vector(&self) -> bool {
        self.m == 1 || self.n == 1
    }
}

/// Tiles of `m` by `n` results, each the sum over `splits` runs of `run` along k, taken in chunks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tiling {
    pub m: usize,
    pub n: usize,
    /// Steps along k between two looks at the cancel flag.
    pub chunk: usize,
    pub splits: usize,
    /// Steps along k of one split.
    pub run: usize,
    /// Tasks that one job takes, so that small ones are worth handing over.
    pub group: usize,
}

/// Tiles that keep sixteen threads busy.
const ENOUGH: usize = 16;
/// Multiplications below which another thread costs more than it brings.
const WORTH: usize = 1 << 18;
/// Elements of one line's chunk in a matrix–vector product.
const LINE: usize = 1 << 13;

impl Tiling {
    /// `cheap`: multiplications run at vector speed (f32, f64), so that a chunk may hold more of them.
    pub fn new(size: Size, cheap: bool) -> Tiling {
        if size.is_vector() { Tiling::vector(size) } else { Tiling::matrix(size, cheap) }
    }

    fn matrix(size: Size, cheap: bool) -> Tiling {
        let (mut m, mut n) = (size.m.min(256), size.n.min(256));
        let count =
            |m: usize, n: usize| size.batch.saturating_mul(size.m.div_ceil(m)).saturating_mul(size.n.div_ceil(n));
        while count(m, n) < ENOUGH && m.max(n) > 64 && m.saturating_mul(n).saturating_mul(size.k) >= 2 * WORTH {
            if m >= n { m = m.div_ceil(2) } else { n = n.div_ceil(2) }
        }
        let limit: usize = if cheap { 1 << 26 } else { 1 << 24 };
        let chunk = (limit / (m * n)).clamp(64, 1024);
        let tiles = count(m, n);
        let splits = if tiles < ENOUGH { (ENOUGH / tiles).min(size.k / 2048).max(1) } else { 1 };
        Tiling::with_runs(size, m, n, chunk, splits, tiles)
    }

    fn vector(size: Size) -> Tiling {
        let rows = size.m.max(size.n);
        let side = (WORTH / size.k.max(1)).next_power_of_two().clamp(64, 4096).min(rows);
        let tiles = size.batch.saturating_mul(rows.div_ceil(side));
        let splits = if tiles < ENOUGH { (2 * ENOUGH / tiles).min(size.k / (4 * LINE)).max(1) } else { 1 };
        let (m, n) = if size.n == 1 { (side, 1) } else { (1, side) };
        Tiling::with_runs(size, m, n, LINE, splits, tiles)
    }

    fn with_runs(size: Size, m: usize, n: usize, chunk: usize, splits: usize, tiles: usize) -> Tiling {
        let run = size.k.div_ceil(splits).div_ceil(chunk).max(1).saturating_mul(chunk);
        let splits = size.k.div_ceil(run).max(1);
        let work = m.saturating_mul(n).saturating_mul(run.min(size.k)).max(1);
        let group = (WORTH / work).clamp(1, tiles.saturating_mul(splits).max(1));
        Tiling { m, n, chunk, splits, run, group }
    }
}

/// One task: a tile and the part of k that it sums.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub batch: usize,
    pub m: (usize, usize),
    pub n: (usize, usize),
    pub split: usize,
}

/// All tasks of a product, numbered.
#[derive(Clone, Copy, Debug)]
pub struct Tasks {
    pub size: Size,
    pub tiling: Tiling,
}

impl Tasks {
    pub fn count(&self) -> usize {
        self.tiles() * self.tiling.splits
    }

    pub fn tiles(&self) -> usize {
        self.size.batch * self.size.m.div_ceil(self.tiling.m) * self.size.n.div_ceil(self.tiling.n)
    }

    /// Neighbouring numbers share a tile (its splits), then the rows of `a`.
    pub fn get(&self, index: usize) -> Task {
        let (across, down) = (self.size.n.div_ceil(self.tiling.n), self.size.m.div_ceil(self.tiling.m));
        let (tile, split) = (index / self.tiling.splits, index % self.tiling.splits);
        let (row, column) = (tile / across, tile % across);
        let (batch, row) = (row / down, row % down);
        let cut = |at: usize, side: usize, extent: usize| (at * side, (at * side + side).min(extent));
        Task { batch, m: cut(row, self.tiling.m, self.size.m), n: cut(column, self.tiling.n, self.size.n), split }
    }

    /// The steps along k of one split.
    pub fn depth(&self, split: usize) -> (usize, usize) {
        let start = split * self.tiling.run;
        (start, start.saturating_add(self.tiling.run).min(self.size.k))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_cover_every_product_once() {
        let sizes = [
            (1, 1, 1, 100_000),
            (1, 300, 1, 5000),
            (1, 1, 700, 3),
            (2, 65, 300, 70),
            (1, 64, 64, 100_000),
            (3, 1, 1, 0),
        ];
        for (batch, m, n, k) in sizes {
            let size = Size { batch, m, n, k };
            let tasks = Tasks { size, tiling: Tiling::new(size, true) };
            let mut seen = 0;
            for i in 0..tasks.count() {
                let t = tasks.get(i);
                let (k0, k1) = tasks.depth(t.split);
                assert!(t.batch < batch && t.m.1 <= m && t.n.1 <= n && k1 <= k && t.m.0 < t.m.1 && t.n.0 < t.n.1);
                seen += (t.m.1 - t.m.0) * (t.n.1 - t.n.0) * (k1 - k0);
            }
            assert_eq!(seen, batch * m * n * k, "{size:?} {tasks:?}");
        }
    }

    #[test]
    fn large_products_give_every_thread_a_tile() {
        let count = |m, n, k| {
            let size = Size { batch: 1, m, n, k };
            Tasks { size, tiling: Tiling::new(size, true) }.count()
        };
        assert_eq!(count(1024, 1024, 1024), 16);
        assert_eq!(count(64, 64, 64), 1);
        assert!(count(64, 64, 1 << 20) >= 16);
        assert!(count(1, 1, 1 << 24) >= 16);
        assert!(count(1 << 20, 1, 64) >= 16);
    }
}
