import '#kit/no-eval.ts'
import { createRoot } from 'react-dom/client'
import '#kit/theme/tokens.css'
import '#kit/theme/base.css'
import { Gallery } from './gallery.tsx'

const root = document.getElementById('root')
if (root) createRoot(root).render(<Gallery />)
