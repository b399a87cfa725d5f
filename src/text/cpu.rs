//! What the processor can do.

/// Returns whether the processor has AVX2, vectors of 32 bytes. Never in a build with
/// `--cfg urlint_scalar`, in which everything runs as it does on processors without.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn has_avx2() -> bool {
    !cfg!(urlint_scalar) && std::arch::is_x86_feature_detected!("avx2")
}
