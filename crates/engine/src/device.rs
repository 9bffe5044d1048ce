//! The processors and graphics cards on which whisper.cpp computes.

use std::ffi::{CStr, c_char};

use whisper_rs_sys as sys;

/// The kinds of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    /// The processor, with its memory.
    Cpu,
    /// A graphics card with memory of its own.
    Gpu,
    /// A graphics unit that shares the processor’s memory.
    IntegratedGpu,
    /// A library that supports the processor, such as BLAS.
    Accelerator,
}

impl DeviceKind {
    /// Whether it is a graphics card or unit.
    #[must_use]
    pub fn is_gpu(self) -> bool {
        matches!(self, Self::Gpu | Self::IntegratedGpu)
    }
}

/// A device on which whisper.cpp can compute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Short name, for example `CPU`, `CUDA0` or `Vulkan0`.
    pub name: String,
    /// Model, for example `AMD EPYC 7763 64-Core Processor`.
    pub description: String,
    /// Kind.
    pub kind: DeviceKind,
    /// Its memory in bytes; 0 if it does not report it.
    pub memory: u64,
}

/// The GPU backends that this program was built with.
#[must_use]
pub fn backends() -> &'static [&'static str] {
    &[
        #[cfg(feature = "cuda")]
        "CUDA",
        #[cfg(feature = "hipblas")]
        "HIP",
        #[cfg(feature = "metal")]
        "Metal",
        #[cfg(feature = "vulkan")]
        "Vulkan",
    ]
}

/// All devices of this machine, in whisper.cpp’s order.
#[must_use]
#[expect(unsafe_code, reason = "whisper-rs 0.16 lists only Vulkan’s devices")]
pub fn all() -> Vec<Device> {
    // SAFETY: the functions take no data of ours, the index is below the count, and ggml’s devices
    // and their texts live as long as the process.
    unsafe {
        (0..sys::ggml_backend_dev_count())
            .map(|index| {
                let device = sys::ggml_backend_dev_get(index);
                let (mut free, mut total) = (0, 0);
                sys::ggml_backend_dev_memory(device, &raw mut free, &raw mut total);
                Device {
                    name: text(sys::ggml_backend_dev_name(device)),
                    description: text(sys::ggml_backend_dev_description(device)),
                    kind: kind(sys::ggml_backend_dev_type(device)),
                    memory: total as u64,
                }
            })
            .collect()
    }
}

/// The device with which models are loaded if `gpu` is the number of the chosen GPU: that GPU if
/// there is one, otherwise the processor.
#[must_use]
pub fn in_use(devices: &[Device], gpu: Option<u32>) -> Option<&Device> {
    let number = gpu.and_then(|number| usize::try_from(number).ok());
    let mut gpus = devices.iter().filter(|device| device.kind.is_gpu());
    let chosen = number.and_then(|number| gpus.nth(number));
    chosen.or_else(|| devices.iter().find(|device| device.kind == DeviceKind::Cpu))
}

#[expect(unsafe_code, reason = "ggml gives C strings")]
/// # Safety
/// `text` is null, or a string that ends with a zero byte.
unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: as above.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_string_lossy().trim().to_owned()
}

fn kind(number: sys::ggml_backend_dev_type) -> DeviceKind {
    match number {
        sys::ggml_backend_dev_type_GGML_BACKEND_DEVICE_TYPE_GPU => DeviceKind::Gpu,
        sys::ggml_backend_dev_type_GGML_BACKEND_DEVICE_TYPE_IGPU => DeviceKind::IntegratedGpu,
        sys::ggml_backend_dev_type_GGML_BACKEND_DEVICE_TYPE_ACCEL => DeviceKind::Accelerator,
        _ => DeviceKind::Cpu,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_a_processor_with_memory() {
        let devices = all();
        let cpu = in_use(&devices, None).expect("a processor");
        assert_eq!(cpu.kind, DeviceKind::Cpu);
        assert!(!cpu.name.is_empty() && !cpu.description.is_empty());
        assert!(cpu.memory > 0);
    }

    #[test]
    fn the_chosen_gpu_is_used_if_it_exists() {
        let device = |name: &str, kind| Device {
            name: name.to_owned(),
            description: String::new(),
            kind,
            memory: 0,
        };
        let devices = [
            device("Vulkan0", DeviceKind::Gpu),
            device("Vulkan1", DeviceKind::IntegratedGpu),
            device("BLAS", DeviceKind::Accelerator),
            device("CPU", DeviceKind::Cpu),
        ];
        let used = |gpu| in_use(&devices, gpu).map(|device| &*device.name);
        assert_eq!(used(None), Some("CPU"));
        assert_eq!(used(Some(0)), Some("Vulkan0"));
        assert_eq!(used(Some(1)), Some("Vulkan1"));
        assert_eq!(used(Some(2)), Some("CPU"));
        assert_eq!(in_use(&[], Some(0)), None);
    }
}
