import type { CSSProperties } from 'react'

/** Colours of look.md "Home (dark)" for what is drawn by script; home.css has the same ones as variables. */
export const look = {
  panel: '#10182F',
  border: '#1E2A4D',
  grid: '#1A2443',
  axis: '#2A3860',
  text: '#E8EDFA',
  secondary: '#A9B6D6',
  tertiary: '#8595BA',
  accent: '#5B8CFF',
  teal: '#2EC4B6',
} as const

/** look.md "Status on dark". */
export const stateColours = { online: '#3DD68C', offline: '#FF6B6B', inactive: '#F5B83D' } as const

/** look.md "Alarm levels", 1 to 5 on dark. */
const levels = ['#8595BA', '#B7C3E0', '#F5C24B', '#FF9552', '#FF5F6B'] as const
export const levelColour = (level: number): string => levels[level - 1] ?? levels[0]

/** For what the style sheet draws in the colour of a level. */
export const levelStyle = (level: number): CSSProperties => ({ '--level': `var(--level-${level})` }) as CSSProperties

/** Large areas of the two lowest levels would outshine the ones that matter. */
const bars = ['#4D5A7D', '#6B789C', '#F5C24B', '#FF9552', '#FF5F6B'] as const
export const barColour = (level: number): string => bars[level - 1] ?? bars[0]

export const stateWords = { online: '在线', offline: '离线', inactive: '未激活' } as const
