@__sancov_gen_ = global [5 x i32] zeroinitializer
define i32 @main() {
  call void @__sanitizer_cov_trace_pc_guard(ptr @__sancov_gen_)
  invoke void @f()
          to label %a unwind label %b
a:
  call void @__sanitizer_cov_trace_pc_guard(ptr getelementptr (i8, ptr @__sancov_gen_, i64 4))
  ret i32 0
b:
  call void @__sanitizer_cov_trace_pc_guard(ptr getelementptr (i8, ptr @__sancov_gen_, i64 8))
  ret i32 1
}
define void @f() {
  call void @__sanitizer_cov_trace_pc_guard(ptr getelementptr (i8, ptr @__sancov_gen_, i64 12))
  call void @g()
  call void @__cyg_profile_func_exit(ptr null, ptr null)
  ret void
}
define void @g() {
  call void @__sanitizer_cov_trace_pc_guard(ptr getelementptr (i8, ptr @__sancov_gen_, i64 16))
  call void @__cyg_profile_func_exit(ptr null, ptr null)
  ret void
}
