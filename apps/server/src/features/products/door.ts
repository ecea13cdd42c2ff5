export { coerceParams } from './compile-model.ts'
export { type BookProduct, makeProductBook, type ProductBook } from './product-book.ts'
