@__const.main.list = private unnamed_addr constant [3 x i32] [i32 5, i32 2, i32 4], align 4
@__sancov_gen_ = private global [8 x i32] zeroinitializer, section "__sancov_guards", comdat($main), align 4
@__sancov_gen_.1 = private global [1 x i32] zeroinitializer, section "__sancov_guards", comdat($compare), align 4
@__sancov_gen_.2 = private global [1 x i32] zeroinitializer, section "__sancov_guards", comdat($apply), align 4
@__sancov_gen_.3 = private global [1 x i32] zeroinitializer, section "__sancov_guards", comdat($twice), align 4
@__sancov_gen_.4 = private global [1 x i32] zeroinitializer, section "__sancov_guards", comdat($minus), align 4
@__sancov_gen_.5 = private global [4 x i32] zeroinitializer, section "__sancov_guards", comdat($odd), align 4
@__sancov_gen_.6 = private global [4 x i32] zeroinitializer, section "__sancov_guards", comdat($even), align 4

define dso_local i32 @main(i32 noundef %0, i8** nocapture noundef readnone %1) local_unnamed_addr #1 comdat !dbg !13 {
  %3 = alloca [3 x i32], align 4
  call void @__sanitizer_cov_trace_pc_guard(i32* getelementptr inbounds ([8 x i32], [8 x i32]* @__sancov_gen_, i32 0, i32 0)) #12, !dbg !29
  %4 = call i8* @llvm.returnaddress(i32 0), !dbg !29
  call void @__cyg_profile_func_enter(i8* bitcast (i32 (i32, i8**)* @main to i8*), i8* %4), !dbg !29
  %5 = bitcast [3 x i32]* %3 to i8*, !dbg !31
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* noundef nonnull align 4 dereferenceable(12) %5, i8* noundef nonnull align 4 dereferenceable(12) bitcast ([3 x i32]* @__const.main.list to i8*), i64 12, i1 false), !dbg !32
  call void @qsort(i8* noundef nonnull %5, i64 noundef 3, i64 noundef 4, i32 (i8*, i8*)* noundef nonnull @compare) #13, !dbg !33
  br label %12, !dbg !35

6:                                                ; preds = %23
  call void @__sanitizer_cov_trace_pc_guard(i32* inttoptr (i64 add (i64 ptrtoint ([8 x i32]* @__sancov_gen_ to i64), i64 4) to i32*)) #12, !dbg !36
  %7 = call fastcc i32 @odd(i32 noundef 3), !dbg !36
  %8 = icmp ne i32 %7, 0, !dbg !36
  %9 = zext i1 %8 to i32, !dbg !38
  %10 = add i32 %25, -9, !dbg !38
  %11 = add i32 %10, %9, !dbg !39
  call void @exit(i32 noundef %11) #14, !dbg !40
  unreachable, !dbg !40

12:                                               ; preds = %28, %2
  %13 = phi i64 [ 0, %2 ], [ %26, %28 ]
  %14 = phi i32 [ %0, %2 ], [ %25, %28 ]
  call void @__sanitizer_cov_trace_pc_guard(i32* inttoptr (i64 add (i64 ptrtoint ([8 x i32]* @__sancov_gen_ to i64), i64 8) to i32*)) #12, !dbg !34
  %15 = getelementptr inbounds [3 x i32], [3 x i32]* %3, i64 0, i64 %13, !dbg !41
  %16 = load i32, i32* %15, align 4, !dbg !41
  switch i32 %16, label %21 [
    i32 2, label %17
    i32 4, label %19
  ], !dbg !48

17:                                               ; preds = %12
  call void @__sanitizer_cov_trace_pc_guard(i32* inttoptr (i64 add (i64 ptrtoint ([8 x i32]* @__sancov_gen_ to i64), i64 12) to i32*)) #12, !dbg !49
  %18 = call fastcc i32 @apply(i32 (i32)* noundef nonnull @twice, i32 noundef 2), !dbg !49
  br label %23, !dbg !51

19:                                               ; preds = %12
  call void @__sanitizer_cov_trace_pc_guard(i32* inttoptr (i64 add (i64 ptrtoint ([8 x i32]* @__sancov_gen_ to i64), i64 16) to i32*)) #12, !dbg !52
  %20 = call fastcc i32 @apply(i32 (i32)* noundef nonnull @minus, i32 noundef 4), !dbg !52
  br label %23, !dbg !53

21:                                               ; preds = %12
  call void @__sanitizer_cov_trace_pc_guard(i32* inttoptr (i64 add (i64 ptrtoint ([8 x i32]* @__sancov_gen_ to i64), i64 20) to i32*)) #12, !dbg !54
  %22 = call i32 @twice(i32 noundef %16), !dbg !54
  br label %23, !dbg !55

23:                                               ; preds = %21, %19, %17
  %24 = phi i32 [ %22, %21 ], [ %20, %19 ], [ %18, %17 ]
  call void @__sanitizer_cov_trace_pc_guard(i32* inttoptr (i64 add (i64 ptrtoint ([8 x i32]* @__sancov_gen_ to i64), i64 24) to i32*)) #12, !dbg !56
  %25 = add nsw i32 %24, %14, !dbg !56
  %26 = add nuw nsw i64 %13, 1, !dbg !57
  %27 = icmp eq i64 %26, 3, !dbg !58
  br i1 %27, label %6, label %28, !dbg !35

28:                                               ; preds = %23
  call void @__sanitizer_cov_trace_pc_guard(i32* inttoptr (i64 add (i64 ptrtoint ([8 x i32]* @__sancov_gen_ to i64), i64 28) to i32*)) #12, !dbg !35
  br label %12, !dbg !35
}

define internal i32 @compare(i8* nocapture noundef readonly %0, i8* nocapture noundef readonly %1) #6 comdat !dbg !63 {
  call void @__sanitizer_cov_trace_pc_guard(i32* getelementptr inbounds ([1 x i32], [1 x i32]* @__sancov_gen_.1, i32 0, i32 0)) #12, !dbg !71
  %3 = call i8* @llvm.returnaddress(i32 0), !dbg !71
  call void @__cyg_profile_func_enter(i8* bitcast (i32 (i8*, i8*)* @compare to i8*), i8* %3), !dbg !71
  %4 = bitcast i8* %0 to i32*, !dbg !73
  %5 = load i32, i32* %4, align 4, !dbg !74
  %6 = bitcast i8* %1 to i32*, !dbg !75
  %7 = load i32, i32* %6, align 4, !dbg !76
  %8 = sub nsw i32 %5, %7, !dbg !77
  %9 = call i8* @llvm.returnaddress(i32 0), !dbg !78
  call void @__cyg_profile_func_exit(i8* bitcast (i32 (i8*, i8*)* @compare to i8*), i8* %9), !dbg !78
  ret i32 %8, !dbg !78
}

define internal fastcc i32 @odd(i32 noundef %0) unnamed_addr #8 comdat !dbg !90 {
  call void @__sanitizer_cov_trace_pc_guard(i32* getelementptr inbounds ([4 x i32], [4 x i32]* @__sancov_gen_.5, i32 0, i32 0)) #12, !dbg !95
  %2 = call i8* @llvm.returnaddress(i32 0), !dbg !95
  call void @__cyg_profile_func_enter(i8* bitcast (i32 (i32)* @odd to i8*), i8* %2), !dbg !95
  %3 = icmp eq i32 %0, 0, !dbg !97
  br i1 %3, label %4, label %5, !dbg !98

4:                                                ; preds = %1
  call void @__sanitizer_cov_trace_pc_guard(i32* inttoptr (i64 add (i64 ptrtoint ([4 x i32]* @__sancov_gen_.5 to i64), i64 4) to i32*)) #12, !dbg !98
  br label %8, !dbg !98

5:                                                ; preds = %1
  call void @__sanitizer_cov_trace_pc_guard(i32* inttoptr (i64 add (i64 ptrtoint ([4 x i32]* @__sancov_gen_.5 to i64), i64 8) to i32*)) #12, !dbg !99
  %6 = add nsw i32 %0, -1, !dbg !99
  %7 = call fastcc i32 @even(i32 noundef %6), !dbg !100
  br label %8, !dbg !98

8:                                                ; preds = %5, %4
  %9 = phi i32 [ %7, %5 ], [ 0, %4 ], !dbg !98
  call void @__sanitizer_cov_trace_pc_guard(i32* inttoptr (i64 add (i64 ptrtoint ([4 x i32]* @__sancov_gen_.5 to i64), i64 12) to i32*)) #12, !dbg !101
  %10 = call i8* @llvm.returnaddress(i32 0), !dbg !101
  call void @__cyg_profile_func_exit(i8* bitcast (i32 (i32)* @odd to i8*), i8* %10), !dbg !101
  ret i32 %9, !dbg !101
}

define internal i32 @twice(i32 noundef %0) #10 comdat !dbg !102 {
  call void @__sanitizer_cov_trace_pc_guard(i32* getelementptr inbounds ([1 x i32], [1 x i32]* @__sancov_gen_.3, i32 0, i32 0)) #12, !dbg !105
  %2 = call i8* @llvm.returnaddress(i32 0), !dbg !105
  call void @__cyg_profile_func_enter(i8* bitcast (i32 (i32)* @twice to i8*), i8* %2), !dbg !105
  %3 = icmp sgt i32 %0, 3, !dbg !107
  %4 = shl nsw i32 %0, 1, !dbg !108
  %5 = add nsw i32 %0, 1, !dbg !108
  %6 = select i1 %3, i32 %4, i32 %5, !dbg !108
  %7 = call i8* @llvm.returnaddress(i32 0), !dbg !109
  call void @__cyg_profile_func_exit(i8* bitcast (i32 (i32)* @twice to i8*), i8* %7), !dbg !109
  ret i32 %6, !dbg !109
}

define internal fastcc i32 @apply(i32 (i32)* nocapture noundef readonly %0, i32 noundef %1) unnamed_addr #11 comdat !dbg !110 {
  call void @__sanitizer_cov_trace_pc_guard(i32* getelementptr inbounds ([1 x i32], [1 x i32]* @__sancov_gen_.2, i32 0, i32 0)) #12, !dbg !117
  %3 = call i8* @llvm.returnaddress(i32 0), !dbg !117
  call void @__cyg_profile_func_enter(i8* bitcast (i32 (i32 (i32)*, i32)* @apply to i8*), i8* %3), !dbg !117
  %4 = call i32 %0(i32 noundef %1) #13, !dbg !119, !callees !120
  %5 = add nsw i32 %4, 1, !dbg !121
  %6 = call i8* @llvm.returnaddress(i32 0), !dbg !122
  call void @__cyg_profile_func_exit(i8* bitcast (i32 (i32 (i32)*, i32)* @apply to i8*), i8* %6), !dbg !122
  ret i32 %5, !dbg !122
}

define internal i32 @minus(i32 noundef %0) #10 comdat !dbg !123 {
  call void @__sanitizer_cov_trace_pc_guard(i32* getelementptr inbounds ([1 x i32], [1 x i32]* @__sancov_gen_.4, i32 0, i32 0)) #12, !dbg !126
  %2 = call i8* @llvm.returnaddress(i32 0), !dbg !126
  call void @__cyg_profile_func_enter(i8* bitcast (i32 (i32)* @minus to i8*), i8* %2), !dbg !126
  %3 = sub nsw i32 0, %0, !dbg !128
  %4 = call i8* @llvm.returnaddress(i32 0), !dbg !129
  call void @__cyg_profile_func_exit(i8* bitcast (i32 (i32)* @minus to i8*), i8* %4), !dbg !129
  ret i32 %3, !dbg !129
}

define internal fastcc i32 @even(i32 noundef %0) unnamed_addr #8 comdat !dbg !130 {
  call void @__sanitizer_cov_trace_pc_guard(i32* getelementptr inbounds ([4 x i32], [4 x i32]* @__sancov_gen_.6, i32 0, i32 0)) #12, !dbg !133
  %2 = call i8* @llvm.returnaddress(i32 0), !dbg !133
  call void @__cyg_profile_func_enter(i8* bitcast (i32 (i32)* @even to i8*), i8* %2), !dbg !133
  %3 = icmp eq i32 %0, 0, !dbg !135
  br i1 %3, label %4, label %5, !dbg !136

4:                                                ; preds = %1
  call void @__sanitizer_cov_trace_pc_guard(i32* inttoptr (i64 add (i64 ptrtoint ([4 x i32]* @__sancov_gen_.6 to i64), i64 4) to i32*)) #12, !dbg !136
  br label %8, !dbg !136

5:                                                ; preds = %1
  call void @__sanitizer_cov_trace_pc_guard(i32* inttoptr (i64 add (i64 ptrtoint ([4 x i32]* @__sancov_gen_.6 to i64), i64 8) to i32*)) #12, !dbg !137
  %6 = add nsw i32 %0, -1, !dbg !137
  %7 = call fastcc i32 @odd(i32 noundef %6), !dbg !138
  br label %8, !dbg !136

8:                                                ; preds = %5, %4
  %9 = phi i32 [ %7, %5 ], [ 1, %4 ], !dbg !136
  call void @__sanitizer_cov_trace_pc_guard(i32* inttoptr (i64 add (i64 ptrtoint ([4 x i32]* @__sancov_gen_.6 to i64), i64 12) to i32*)) #12, !dbg !139
  %10 = call i8* @llvm.returnaddress(i32 0), !dbg !139
  call void @__cyg_profile_func_exit(i8* bitcast (i32 (i32)* @even to i8*), i8* %10), !dbg !139
  ret i32 %9, !dbg !139
}

!1 = !DIFile(filename: "tiny.c", directory: "")
!13 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 9)
!29 = !DILocation(line: 9, scope: !13)
!31 = !DILocation(line: 10, column: 5, scope: !13)
!32 = !DILocation(line: 10, column: 9, scope: !13)
!33 = !DILocation(line: 11, column: 5, scope: !13)
!34 = !DILocation(line: 0, scope: !28)
!35 = !DILocation(line: 12, column: 5, scope: !28)
!36 = !DILocation(line: 19, column: 9, scope: !37)
!38 = !DILocation(line: 19, column: 9, scope: !13)
!39 = !DILocation(line: 20, column: 14, scope: !13)
!40 = !DILocation(line: 20, column: 5, scope: !13)
!41 = !DILocation(line: 13, column: 17, scope: !42)
!48 = !DILocation(line: 13, column: 9, scope: !42)
!49 = !DILocation(line: 14, column: 24, scope: !50)
!51 = !DILocation(line: 14, column: 47, scope: !50)
!52 = !DILocation(line: 15, column: 24, scope: !50)
!53 = !DILocation(line: 15, column: 47, scope: !50)
!54 = !DILocation(line: 16, column: 25, scope: !50)
!55 = !DILocation(line: 17, column: 9, scope: !50)
!56 = !DILocation(line: 0, scope: !50)
!57 = !DILocation(line: 12, column: 29, scope: !43)
!58 = !DILocation(line: 12, column: 23, scope: !43)
!63 = distinct !DISubprogram(name: "compare", scope: !1, file: !1, line: 2)
!71 = !DILocation(line: 2, scope: !63)
!73 = !DILocation(line: 2, column: 60, scope: !63)
!74 = !DILocation(line: 2, column: 59, scope: !63)
!75 = !DILocation(line: 2, column: 78, scope: !63)
!76 = !DILocation(line: 2, column: 77, scope: !63)
!77 = !DILocation(line: 2, column: 75, scope: !63)
!78 = !DILocation(line: 2, column: 52, scope: !63)
!90 = distinct !DISubprogram(name: "odd", scope: !1, file: !1, line: 7)
!95 = !DILocation(line: 7, scope: !90)
!97 = !DILocation(line: 7, column: 34, scope: !90)
!98 = !DILocation(line: 7, column: 32, scope: !90)
!99 = !DILocation(line: 7, column: 52, scope: !90)
!100 = !DILocation(line: 7, column: 45, scope: !90)
!101 = !DILocation(line: 7, column: 25, scope: !90)
!102 = distinct !DISubprogram(name: "twice", scope: !1, file: !1, line: 3)
!105 = !DILocation(line: 3, scope: !102)
!107 = !DILocation(line: 3, column: 36, scope: !102)
!108 = !DILocation(line: 3, column: 34, scope: !102)
!109 = !DILocation(line: 3, column: 27, scope: !102)
!110 = distinct !DISubprogram(name: "apply", scope: !1, file: !1, line: 5)
!117 = !DILocation(line: 5, scope: !110)
!119 = !DILocation(line: 5, column: 49, scope: !110)
!121 = !DILocation(line: 5, column: 54, scope: !110)
!122 = !DILocation(line: 5, column: 42, scope: !110)
!123 = distinct !DISubprogram(name: "minus", scope: !1, file: !1, line: 4)
!126 = !DILocation(line: 4, scope: !123)
!128 = !DILocation(line: 4, column: 34, scope: !123)
!129 = !DILocation(line: 4, column: 27, scope: !123)
!130 = distinct !DISubprogram(name: "even", scope: !1, file: !1, line: 8)
!133 = !DILocation(line: 8, scope: !130)
!135 = !DILocation(line: 8, column: 35, scope: !130)
!136 = !DILocation(line: 8, column: 33, scope: !130)
!137 = !DILocation(line: 8, column: 52, scope: !130)
!138 = !DILocation(line: 8, column: 46, scope: !130)
!139 = !DILocation(line: 8, column: 26, scope: !130)
