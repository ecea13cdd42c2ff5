import { useState } from 'react'

/** What every dialog, drawer and form in one is told by whoever shows it. */
export interface Opened {
  open: boolean
  onClose: () => void
}

/**
 * A dialog and what it is about. The session is a new key each time it opens, so that it never begins with what an
 * earlier one left behind; what it is about stays while it fades out.
 */
export function useDialog<About = undefined>() {
  const [state, setState] = useState<{ about: About | undefined; open: boolean; session: number }>({
    about: undefined,
    open: false,
    session: 0,
  })
  return {
    ...state,
    show: (about: About) => setState(({ session }) => ({ about, open: true, session: session + 1 })),
    /** Only the one that asks closes: a form that started a job is followed by the dialog of that job. */
    close: () => setState((now) => (now.session === state.session ? { ...now, open: false } : now)),
  }
}
