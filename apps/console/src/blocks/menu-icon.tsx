/** spec 2: the thirteen selectable menu icons, our own line drawings on a 16 grid in the colour of the text. */
import { defaultMenuIcon, type MenuIcon as IconName, menuIcons } from '@ithings/contract/features/menus.ts'

const drawings: Record<IconName, React.ReactNode> = {
  // Sliders: settings of the platform itself.
  icon_system: (
    <>
      <path d="M2 4h6M11.5 4H14M2 8h1.5M7 8h7M2 12h7M12.5 12H14" />
      <circle cx="9.8" cy="4" r="1.7" />
      <circle cx="5.2" cy="8" r="1.7" />
      <circle cx="10.8" cy="12" r="1.7" />
    </>
  ),
  // The product's mark: an i between two waves.
  icon_ithings: (
    <>
      <path d="M8 7v5M4.7 4.700a5 5 0 0 0 0 6.600M11.3 4.700a5 5 0 0 1 0 6.600M2.3 2.300a8 8 0 0 0 0 11.400M13.7 2.300a8 8 0 0 1 0 11.4" />
      <circle cx="8" cy="4.2" r=".6" fill="currentColor" />
    </>
  ),
  // A cloud with a pulse.
  icon_cloud_monitor: (
    <>
      <path d="M4.5 11.5a3 3 0 0 1-.4-6 4.2 4.2 0 0 1 8-.3 3.2 3.2 0 0 1 .4 6.3" />
      <path d="M4.5 13.5h2l1.3-4 1.7 5 1.2-3h1.3" />
    </>
  ),
  // A flask that drips.
  icon_dosing: (
    <>
      <path d="M5.5 1.5h5M6.5 1.5v3.300L3.3 10.5A2 2 0 0 0 5 13.5h6a2 2 0 0 0 1.7-3L9.5 4.800V1.5" />
      <path d="M4.7 9h6.6" />
    </>
  ),
  // A chip with its pins.
  icon_device: (
    <>
      <rect x="4" y="4" width="8" height="8" rx="1.5" />
      <rect x="6.5" y="6.5" width="3" height="3" rx=".5" />
      <path d="M6 4V1.5M10 4V1.5M6 14.5V12M10 14.5V12M4 6H1.5M4 10H1.5M14.5 6H12M14.5 10H12" />
    </>
  ),
  // A tap with a drop.
  icon_feedwater: (
    <>
      <path d="M1.5 5.5h8a4 4 0 0 1 4 4h-3a1.5 1.5 0 0 0-1.5-1.5H1.5zM6 5.5v-3M4 2.5h4" />
      <path d="M12 11.5s-1.3 1.4-1.3 2.200a1.3 1.3 0 0 0 2.6 0c0-.8-1.3-2.2-1.3-2.200z" />
    </>
  ),
  // Things that belong together: three linked nodes.
  icon_ecosystem: (
    <>
      <circle cx="8" cy="3.8" r="2" />
      <circle cx="3.8" cy="11.8" r="2" />
      <circle cx="12.2" cy="11.8" r="2" />
      <path d="m7.1 5.6-2.4 4.4M8.9 5.6l2.4 4.4M5.8 11.8h4.4" />
    </>
  ),
  // A pipe that empties into waves.
  icon_sewage: (
    <>
      <path d="M1.5 2.5h6.5a4 4 0 0 1 4 4V8H8.5V7A1 1 0 0 0 7.5 6h-6z" />
      <path d="M1.5 11c1.1 0 1.1 1 2.2 1s1.1-1 2.2-1 1.1 1 2.2 1 1.1-1 2.2-1 1.1 1 2.2 1 1.1-1 2-1M3.7 14.5c1.1 0 1.1-.8 2.2-.8s1.1.8 2.2.8 1.1-.8 2.2-.8 1.1.8 2.2.8" />
    </>
  ),
  // A bolt.
  icon_electric: <path d="M9 1.5 3 9h4.5L7 14.5 13 7H8.5z" />,
  // A thermometer.
  icon_heat: (
    <>
      <path d="M5.5 9.300V3.5a2 2 0 0 1 4 0v5.800a3.2 3.2 0 1 1-4 0z" />
      <path d="M7.5 6v5.5M12 3.5h2M12 6h2M12 8.5h2" />
    </>
  ),
  // An access point with its waves.
  icon_ap: (
    <>
      <rect x="2" y="10.5" width="12" height="3.5" rx="1" />
      <path d="M5 12.250h.01M8 10.5v-3M5.8 5.700a3.1 3.1 0 0 1 4.4 0M3.7 3.600a6.1 6.1 0 0 1 8.6 0" />
    </>
  ),
  // A fan.
  icon_hvac: (
    <>
      <circle cx="8" cy="8" r="1.3" />
      <path d="M8 6.700C6 5 6.3 1.8 8.8 1.800c2.2 0 2.2 2.7.4 4.400M9.3 8c1.7-2 4.9-1.7 4.9.8 0 2.2-2.7 2.2-4.4.4M8 9.300c2 1.7 1.7 4.9-.8 4.9-2.2 0-2.2-2.7-.4-4.400M6.7 8C5 10 1.8 9.7 1.8 7.2 1.8 5 4.5 5 6.2 6.8" />
    </>
  ),
  // A line chart.
  icon_data_01: (
    <>
      <path d="M2 2v10.5a1.5 1.5 0 0 0 1.5 1.5H14" />
      <path d="m4.5 10 2.7-3.5 2.5 2L13.5 4" />
    </>
  ),
}

const isKnown = (name: string): name is IconName => (menuIcons as readonly string[]).includes(name)

/** An unknown key gets the default drawing instead of a broken picture. */
export const iconNameOf = (name: string): IconName => (isKnown(name) ? name : defaultMenuIcon)

interface MenuGlyphProps {
  name: string
  /** Pixels of both sides. */
  size?: number
  style?: React.CSSProperties
}

/** The drawing alone: tables and the icon gallery set their own size and space. */
export function MenuGlyph({ name, size = 14, style }: MenuGlyphProps) {
  const known = iconNameOf(name)
  return (
    <svg
      className="menu-icon"
      data-icon={known}
      viewBox="0 0 16 16"
      width={size}
      height={size}
      style={style}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {drawings[known]}
    </svg>
  )
}

/** spec 2: 14 by 14 pixels, right margin 5, bottom margin 5; lowered by half of that margin to stay on the line. */
const inMenu: React.CSSProperties = {
  width: 14,
  height: 14,
  marginRight: 5,
  marginBottom: 5,
  position: 'relative',
  top: 2.5,
}

export const MenuIcon = ({ name }: { name: string }) => <MenuGlyph name={name} style={inMenu} />
