import { useSyncExternalStore } from 'react'

// spec 9: these user agents are phones whatever their width; a narrow window counts as one too
// (decisions.md 2 "Phone layout").
const phoneAgents = /Android|webOS|iPhone|iPod|BlackBerry/i
const narrow = '(max-width: 767.98px)'

export const isPhoneAgent = (userAgent: string): boolean => phoneAgents.test(userAgent)

const subscribe = (changed: () => void) => {
  const media = window.matchMedia(narrow)
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

const readPhone = () => isPhoneAgent(navigator.userAgent) || window.matchMedia(narrow).matches

export const usePhone = (): boolean => useSyncExternalStore(subscribe, readPhone)
