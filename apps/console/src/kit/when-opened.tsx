import { type ReactNode, Suspense, useState } from 'react'

/** A lazy drawer or dialog: its script is fetched when it is first opened, and it stays for its way out. */
export function WhenOpened({ open, children }: { open: boolean; children: ReactNode }) {
  const [opened, setOpened] = useState(open)
  if (open && !opened) setOpened(true)
  return opened && <Suspense>{children}</Suspense>
}
