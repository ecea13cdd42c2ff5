import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The kit gallery, for people (`vite -c gallery.vite.config.ts`) and browser tests; never part of the product build.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  publicDir: false,
  build: { rolldownOptions: { input: 'gallery.html' }, emptyOutDir: true },
})
