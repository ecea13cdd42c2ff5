import { useNavigate } from 'react-router'
import { homePath } from '#api/sign-in-path.ts'

/** One step back inside the app; a page opened by its address has none, so it leads home. */
export function useGoBack(): () => void {
  const navigate = useNavigate()
  return () => {
    const index = (window.history.state as { idx?: number } | null)?.idx ?? 0
    void (index > 0 ? navigate(-1) : navigate(homePath, { replace: true }))
  }
}
