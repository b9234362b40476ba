// SPDX-License-Identifier: BSD-3-Clause
// Predictions of a saved model in Rust, through the interface in C:
//
//   rustc predict.rs -L <folder of the library> -l dylib=gramian && ./predict MODEL VERB < rows > results
//
// VERB is predict, predict_proba, transform, inverse_transform or scores. Rows and results are float64 numbers in binary.
use std::ffi::{c_char, c_double, c_int, CStr, CString};
use std::io::{Read, Write};
use std::ptr;

#[repr(C)]
struct Handle {
    _private: [u8; 0],
}

extern "C" {
    fn gramian_load(path: *const c_char, model: *mut *mut Handle) -> c_int;
    fn gramian_free(model: *mut Handle);
    fn gramian_last_error() -> *const c_char;
    fn gramian_inputs(model: *const Handle, verb: c_int) -> i64;
    fn gramian_outputs(model: *const Handle, verb: c_int) -> i64;
    fn gramian_apply(model: *const Handle, verb: c_int, x: *const c_double, rows: i64, columns: i64, out: *mut c_double) -> c_int;
}

const VERBS: [&str; 5] = ["predict", "predict_proba", "transform", "inverse_transform", "scores"];

/// A model of a file. It does not change, so that threads may share it.
struct Model {
    handle: *mut Handle,
}

unsafe impl Send for Model {}
unsafe impl Sync for Model {}

impl Model {
    fn load(path: &str) -> Result<Model, String> {
        let path = CString::new(path).map_err(|error| error.to_string())?;
        let mut handle = ptr::null_mut();
        check(unsafe { gramian_load(path.as_ptr(), &mut handle) })?;
        Ok(Model { handle })
    }

    fn inputs(&self, verb: usize) -> usize {
        unsafe { gramian_inputs(self.handle, verb as c_int) as usize }
    }

    fn apply(&self, verb: usize, rows: &[f64]) -> Result<Vec<f64>, String> {
        let inputs = self.inputs(verb);
        if inputs == 0 {
            return Err(format!("the model has no {}", VERBS[verb]));
        }
        let count = rows.len() / inputs;
        let outputs = unsafe { gramian_outputs(self.handle, verb as c_int) as usize };
        let mut out = vec![0.0; count * outputs];
        check(unsafe { gramian_apply(self.handle, verb as c_int, rows.as_ptr(), count as i64, inputs as i64, out.as_mut_ptr()) })?;
        Ok(out)
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        unsafe { gramian_free(self.handle) }
    }
}

fn check(status: c_int) -> Result<(), String> {
    if status == 0 {
        return Ok(());
    }
    Err(unsafe { CStr::from_ptr(gramian_last_error()) }.to_string_lossy().into_owned())
}

fn run(path: &str, verb: &str) -> Result<(), String> {
    let verb = VERBS.iter().position(|name| *name == verb).ok_or("there is no such verb")?;
    let model = Model::load(path)?;
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let rows: Vec<f64> = bytes.chunks_exact(8).map(|number| f64::from_ne_bytes(number.try_into().unwrap())).collect();
    let out: Vec<u8> = model.apply(verb, &rows)?.iter().flat_map(|number| number.to_ne_bytes()).collect();
    std::io::stdout().write_all(&out).map_err(|error| error.to_string())
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.len() != 3 {
        eprintln!("usage: predict MODEL VERB < rows > results");
        std::process::exit(2);
    }
    if let Err(message) = run(&arguments[1], &arguments[2]) {
        eprintln!("{message}");
        std::process::exit(1);
    }
}
