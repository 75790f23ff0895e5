@__sancov_gen_ = global [4 x i32] zeroinitializer
define i32 @main() {
  call void @__sanitizer_cov_trace_pc_guard(ptr @__sancov_gen_)
  %1 = call i32 @f(i32 1)
  %2 = call i32 @f(i32 2)
  call void @__cyg_profile_func_exit(ptr null, ptr null)
  %3 = musttail call i32 %0()
  ret i32 %3
}
define i32 @f(i32 %0) {
  call void @__sanitizer_cov_trace_pc_guard(ptr getelementptr (i8, ptr @__sancov_gen_, i64 4))
  call void @__cyg_profile_func_exit(ptr null, ptr null)
  %2 = musttail call i32 @g(i32 %0)
  ret i32 %2
}
define i32 @g(i32 %0) {
  call void @__sanitizer_cov_trace_pc_guard(ptr getelementptr (i8, ptr @__sancov_gen_, i64 8))
  call void @__cyg_profile_func_exit(ptr null, ptr null)
  ret i32 1
}
define i32 @h() {
  call void @__sanitizer_cov_trace_pc_guard(ptr getelementptr (i8, ptr @__sancov_gen_, i64 12))
  call void @__cyg_profile_func_exit(ptr null, ptr null)
  ret i32 1
}
