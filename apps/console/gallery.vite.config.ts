import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { antdStyles } from './build/antd-styles.ts'
import { paletteSheet } from './build/palette-sheet.ts'

// The kit gallery, for people (`vite -c gallery.vite.config.ts`) and browser tests; never part of the product build.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), antdStyles(), paletteSheet()],
  publicDir: false,
  build: { rolldownOptions: { input: 'gallery.html' }, emptyOutDir: true },
})
