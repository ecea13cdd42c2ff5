/** Sizes of the large screen by the room it has (look.md "Home (dark)"). Pure. */

export type HomeMode = 'phone' | 'stacked' | 'wide'

export interface HomeLayout {
  mode: HomeMode
  /** Widths of the outer columns; 0 where there are none. */
  left: number
  right: number
  /** Font sizes in pixels. */
  total: number
  figure: number
  ring: number
  title: number
  text: number
  meta: number
  clock: number
  gap: number
  /** How much larger than on 1920 x 1080. */
  scale: number
}

type Sizes = Omit<HomeLayout, 'mode' | 'scale'>

/** The two drawn sizes; in between everything grows evenly. */
const desk = { width: 1440, height: 900 }
const wall = { width: 1920, height: 1080 }
const atDesk: Sizes = {
  left: 316,
  right: 340,
  total: 42,
  figure: 26,
  ring: 20,
  title: 20,
  text: 13,
  meta: 12,
  clock: 28,
  gap: 12,
}
const atWall: Sizes = {
  left: 432,
  right: 464,
  total: 60,
  figure: 34,
  ring: 25,
  title: 26,
  text: 16,
  meta: 14,
  clock: 36,
  gap: 16,
}

const phoneBelow = 768
/** Three columns beside an open menu on a laptop are the narrowest that still read well. */
const wideFrom = 1_120

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
const round = (value: number) => Math.round(value * 10) / 10

function mixed(share: number): Sizes {
  const names = Object.keys(atDesk) as Array<keyof Sizes>
  return Object.fromEntries(
    names.map((name) => [name, atDesk[name] + (atWall[name] - atDesk[name]) * share]),
  ) as unknown as Sizes
}

function scaled(sizes: Sizes, by: number): Sizes {
  const entries = Object.entries(sizes).map(([name, value]) => [name, round(value * by)])
  return Object.fromEntries(entries) as unknown as Sizes
}

/** A small window: columns and large figures give way, texts stay readable. */
function narrowed(by: number): Sizes {
  const { left, right, total, figure, ring } = atDesk
  return {
    ...atDesk,
    left: round(left * by),
    right: round(right * by),
    total: round(Math.max(28, total * by)),
    figure: round(Math.max(22, figure * by)),
    ring: round(ring * by),
  }
}

export function homeLayout(width: number, height: number): HomeLayout {
  if (width < phoneBelow) {
    return { ...atDesk, left: 0, right: 0, total: 30, figure: 24, clock: 22, text: 14, mode: 'phone', scale: 1 }
  }
  if (width < wideFrom) return { ...atDesk, left: 0, right: 0, total: 38, mode: 'stacked', scale: 1 }
  if (width < desk.width) return { ...narrowed(width / desk.width), mode: 'wide', scale: 1 }
  // A wide but low window has no room for tall figures.
  const byWidth = (width - desk.width) / (wall.width - desk.width)
  const byHeight = (height - desk.height * 0.9) / (wall.height * 0.9 - desk.height * 0.9)
  const sizes = mixed(clamp(Math.min(byWidth, byHeight), 0, 1))
  const scale = Math.max(1, Math.min(width / wall.width, height / wall.height))
  return { ...scaled(sizes, scale), mode: 'wide', scale }
}

/** As variables of the style sheet. */
export const layoutStyle = (layout: HomeLayout): Record<string, string> =>
  Object.fromEntries(
    Object.entries(layout)
      .filter(([name]) => name !== 'mode')
      .map(([name, value]) => [`--home-${name}`, name === 'scale' ? String(value) : `${value}px`]),
  )
