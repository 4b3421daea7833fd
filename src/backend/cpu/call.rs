//! Library calls: contiguous inputs in, one contiguous result out, on a thread that Ctrl-C leaves behind.

use super::pool::Ctx;
use crate::base::Span;
use crate::kernel::{Fault, FaultKind, Input, Opaque, Output};
use crate::tensor::{Buffer, HostArray};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Bytes of inputs and output below which the call runs where it is: it ends sooner than a thread starts.
const SMALL: usize = 1 << 14;

pub(super) fn run(
    ctx: &Ctx,
    call: &Arc<dyn Opaque>,
    shape: &[usize],
    inputs: &[Input],
    output: &Output,
) -> Result<(), Fault> {
    ctx.poll()?;
    let size = if shape.contains(&0) { 0 } else { shape.iter().product::<usize>() };
    let bytes = size * output.view.dtype.size();
    let arrays: Vec<HostArray> =
        inputs.iter().map(|i| HostArray { buffer: i.buffer.clone(), view: i.view.clone() }).collect();
    let read: usize = arrays.iter().map(|a| a.view.layout.size() * a.view.dtype.size()).sum();
    let done = if bytes + read <= SMALL {
        compute(call.as_ref(), &arrays, bytes)
    } else {
        elsewhere(ctx, call.clone(), arrays, bytes)
    };
    let result = done.map_err(|kind| Fault { kind, span: Span::default(), position: None })?;
    hand_over(&result, output);
    Ok(())
}

fn compute(call: &dyn Opaque, arrays: &[HostArray], bytes: usize) -> Result<Buffer, FaultKind> {
    let mut out = Buffer::zeroed(bytes).map_err(|fault| FaultKind::OutOfMemory { bytes: fault.bytes })?;
    let failed = || FaultKind::Call { message: format!("{} failed on these values", call.name()) };
    let room = out.bytes_mut().ok_or_else(failed)?;
    catch_unwind(AssertUnwindSafe(|| call.run(arrays, room))).unwrap_or_else(|_| Err(failed()))?;
    Ok(out)
}

/// Computes on a thread of its own and stops waiting once Ctrl-C was pressed; the thread then ends in its own time, with
/// nobody to take its result.
fn elsewhere(ctx: &Ctx, call: Arc<dyn Opaque>, arrays: Vec<HostArray>, bytes: usize) -> Result<Buffer, FaultKind> {
    let (send, receive) = channel();
    let (name, work) = (call.name().to_owned(), move || {
        let done = compute(call.as_ref(), &arrays, bytes);
        // Before the result is known: whoever gets it may count on being the inputs' only holder.
        drop(arrays);
        // The receiver may be gone: then nobody wants the result.
        let _ = send.send(done);
    });
    let failed = |what: &str| FaultKind::Call { message: format!("{name}: {what}") };
    std::thread::Builder::new().spawn(work).map_err(|_| failed("no thread could be started"))?;
    loop {
        match receive.recv_timeout(Duration::from_millis(10)) {
            Ok(done) => return done,
            Err(RecvTimeoutError::Disconnected) => return Err(failed("ended without a result")),
            Err(RecvTimeoutError::Timeout) if ctx.cancel.is_set() => return Err(FaultKind::Interrupted),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Copies the finished result to where the output's layout wants it.
fn hand_over(result: &Buffer, output: &Output) {
    let (layout, size) = (&output.view.layout, output.view.dtype.size());
    let to = output.buffer.as_ptr().cast_mut();
    // SAFETY: the layout keeps every coordinate inside the output, which nobody else touches during the launch; the result is
    // as many elements long.
    unsafe {
        if layout.is_contiguous() {
            let to = to.offset(layout.offset * size as isize);
            std::ptr::copy_nonoverlapping(result.as_ptr(), to, result.len());
            return;
        }
        for (value, at) in result.bytes().chunks_exact(size).zip(layout.offsets()) {
            std::ptr::copy_nonoverlapping(value.as_ptr(), to.offset(at * size as isize), size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Cpu;
    use crate::kernel::{Backend, Cancel, Kernel};
    use crate::tensor::{DType, Layout, View};
    use std::time::Instant;

    #[derive(Debug)]
    enum Toy {
        Double,
        Fail,
        Panic,
        Sleep,
    }

    impl Opaque for Toy {
        fn name(&self) -> &str {
            "toy"
        }

        fn run(&self, inputs: &[HostArray], out: &mut [u8]) -> Result<(), FaultKind> {
            match self {
                Toy::Fail => return Err(FaultKind::Call { message: "no".into() }),
                Toy::Panic => panic!("a library's mistake"),
                Toy::Sleep => std::thread::sleep(Duration::from_secs(5)),
                Toy::Double => {}
            }
            for (i, out) in out.chunks_exact_mut(8).enumerate() {
                out.copy_from_slice(&(2.0 * inputs[0].get(i).to_f64()).to_le_bytes());
            }
            Ok(())
        }
    }

    fn launch(toy: Toy, n: usize, layout: Layout, cancel: &Cancel) -> Result<Vec<f64>, FaultKind> {
        let values: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let view = |layout| View { layout, dtype: DType::F64, conj: false };
        let input = Input {
            buffer: Arc::new(Buffer::from_slice(&values).expect("room")),
            view: view(Layout::contiguous(&[n]).expect("small")),
        };
        let room = layout.bounds().map_or(0, |b| b.1 as usize + 1);
        let output = Output { buffer: Arc::new(Buffer::zeroed(8 * room).expect("room")), view: view(layout) };
        let kernel = Kernel::Call { call: Arc::new(toy), shape: [n].as_slice().into() };
        Cpu::new(2).launch(&kernel, &[input], &output, false, cancel).map_err(|f| f.kind)?;
        Ok(output.view.layout.offsets().map(|at| output.buffer.typed::<f64>().expect("aligned")[at as usize]).collect())
    }

    #[test]
    fn results_come_back_in_any_layout_small_or_large() {
        for n in [5, 5000] {
            let want: Vec<f64> = (0..n).map(|i| 2.0 * i as f64).collect();
            let plain = Layout::contiguous(&[n]).expect("small");
            assert_eq!(launch(Toy::Double, n, plain, &Cancel::default()), Ok(want.clone()));
            let stepped =
                Layout { shape: [n].as_slice().into(), strides: [-2].as_slice().into(), offset: 2 * n as isize };
            assert_eq!(launch(Toy::Double, n, stepped, &Cancel::default()), Ok(want));
        }
    }

    #[test]
    fn complaints_and_panics_are_faults() {
        for n in [5, 5000] {
            let plain = || Layout::contiguous(&[n]).expect("small");
            let told = launch(Toy::Fail, n, plain(), &Cancel::default());
            assert_eq!(told, Err(FaultKind::Call { message: "no".into() }));
            let panicked = launch(Toy::Panic, n, plain(), &Cancel::default());
            assert_eq!(panicked, Err(FaultKind::Call { message: "toy failed on these values".into() }));
        }
    }

    #[test]
    fn an_interrupted_call_is_left_behind() {
        let cancel = Cancel::default();
        let stop = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            stop.set();
        });
        let start = Instant::now();
        let done = launch(Toy::Sleep, 5000, Layout::contiguous(&[5000]).expect("small"), &cancel);
        assert_eq!(done, Err(FaultKind::Interrupted));
        assert!(start.elapsed() < Duration::from_secs(2));
    }
}
