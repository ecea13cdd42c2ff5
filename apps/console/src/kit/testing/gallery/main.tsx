import '#kit/no-eval.ts'
import { createRoot } from 'react-dom/client'
import '#kit/theme/antd.css'
import '#kit/theme/tokens.css'
import '#kit/theme/base.css'
import '#kit/theme/utilities.css'
import '#kit/theme/finish.css'
import { Gallery } from './gallery.tsx'

function render(): void {
  const place = document.getElementById('root')
  if (!place) return
  const root = createRoot(place)
  root.render(<Gallery />)
  // Browser tests begin anew without loading the page again, which takes them ten times as long.
  const begin = () => {
    root.unmount()
    render()
  }
  addEventListener('gallery:anew', begin, { once: true })
}

render()
