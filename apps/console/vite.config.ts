import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const platform = 'http://127.0.0.1:7777'

export default defineConfig({
  // spec 9: base public path.
  base: '/front/iThingsCore/',
  plugins: [react()],
  html: { cspNonce: '__CSP_NONCE__' },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: platform, ws: true }, '/mqtt': { target: platform, ws: true } },
  },
  build: { manifest: true, target: 'es2022' },
})
