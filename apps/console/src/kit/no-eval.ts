import * as z from 'zod'

// Import this before anything that makes a schema: zod would otherwise probe eval once, and the content security
// policy reports every attempt in the browser's console.
z.config({ jitless: true })
