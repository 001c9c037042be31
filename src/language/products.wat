;; sums[row][column] += numbers[row][at] * matrix[at][column], all float32, 16 columns at a time.
;; Places are in bytes, as is $step from one row of numbers to the next; $columns is a multiple of
;; 16. Columns are the outer loop: their part of the matrix stays in the nearest cache.
;; `npm run products` writes config/products.wasm.
(module
  (memory (import "host" "memory") 1)
  (func (export "addProducts")
    (param $numbers i32) (param $step i32) (param $rows i32) (param $length i32)
    (param $matrix i32) (param $columns i32) (param $sums i32)
    (local $width i32) (local $column i32) (local $row i32)
    (local $from i32) (local $end i32) (local $weights i32) (local $to i32) (local $number v128)
    (local $one v128) (local $two v128) (local $three v128) (local $four v128)
    (local.set $width (i32.shl (local.get $columns) (i32.const 2)))
    (loop $nextColumns
      (local.set $row (i32.const 0))
      (loop $nextRow
        (local.set $from
          (i32.add (local.get $numbers) (i32.mul (local.get $row) (local.get $step))))
        (local.set $end (i32.add (local.get $from) (i32.shl (local.get $length) (i32.const 2))))
        (local.set $weights (i32.add (local.get $matrix) (local.get $column)))
        (local.set $to (i32.add (i32.add (local.get $sums) (local.get $column))
          (i32.mul (local.get $row) (local.get $width))))
        (local.set $one (v128.load (local.get $to)))
        (local.set $two (v128.load offset=16 (local.get $to)))
        (local.set $three (v128.load offset=32 (local.get $to)))
        (local.set $four (v128.load offset=48 (local.get $to)))
        (loop $nextNumber
          (local.set $number (v128.load32_splat (local.get $from)))
          (local.set $one (f32x4.add (local.get $one)
            (f32x4.mul (local.get $number) (v128.load (local.get $weights)))))
          (local.set $two (f32x4.add (local.get $two)
            (f32x4.mul (local.get $number) (v128.load offset=16 (local.get $weights)))))
          (local.set $three (f32x4.add (local.get $three)
            (f32x4.mul (local.get $number) (v128.load offset=32 (local.get $weights)))))
          (local.set $four (f32x4.add (local.get $four)
            (f32x4.mul (local.get $number) (v128.load offset=48 (local.get $weights)))))
          (local.set $weights (i32.add (local.get $weights) (local.get $width)))
          (br_if $nextNumber (i32.lt_u
            (local.tee $from (i32.add (local.get $from) (i32.const 4))) (local.get $end))))
        (v128.store (local.get $to) (local.get $one))
        (v128.store offset=16 (local.get $to) (local.get $two))
        (v128.store offset=32 (local.get $to) (local.get $three))
        (v128.store offset=48 (local.get $to) (local.get $four))
        (br_if $nextRow (i32.lt_u
          (local.tee $row (i32.add (local.get $row) (i32.const 1))) (local.get $rows))))
      (br_if $nextColumns (i32.lt_u
        (local.tee $column (i32.add (local.get $column) (i32.const 64))) (local.get $width))))))
