// The same stack as base.css has; a canvas knows no `inherit`.
export const fontFamily =
  "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'PingFang SC', 'Noto Sans CJK SC', 'Noto Sans SC', 'Microsoft YaHei', sans-serif"

// look.md 15: one ordered palette per theme; it survives colour blindness, so the order is part of it.
export const chartPalette = {
  light: ['#2F54EB', '#C8640A', '#0B7F75', '#7C4DDB', '#64748B', '#B4235E'],
  dark: ['#7C97FF', '#F0A35E', '#3CC4B2', '#B79BFF', '#94A3B8', '#F07FA8'],
} as const

/** Alarm levels, from the least: as text, and as a filled mark. */
export const levelPalette = {
  light: {
    text: ['#667085', '#475467', '#946200', '#C2410C', '#C81E2D'],
    fill: ['#98A2B3', '#475467', '#E5A50A', '#F97316', '#DC2F3C'],
  },
  dark: {
    text: ['#8595BA', '#B7C3E0', '#F5C24B', '#FF9552', '#FF5F6B'],
    fill: ['#8595BA', '#B7C3E0', '#F5C24B', '#FF9552', '#FF5F6B'],
  },
} as const

export const surfaces = {
  light: {
    layout: '#F4F6FA',
    container: '#FFFFFF',
    elevated: '#FFFFFF',
    head: '#F8F9FC',
    hover: '#F5F7FD',
    border: '#DFE3EC',
    line: '#EAEDF3',
    text: '#171C2E',
    secondary: '#4A5369',
    tertiary: '#626B80',
    placeholder: '#656E82',
    disabled: '#A6AEBF',
    primary: '#2F54EB',
    link: '#2F54EB',
    tint: '#EEF2FF',
    tintLine: '#C2CFFF',
    fill: '#F0F2F6',
    ok: '#147A3F',
    okDot: '#22A55B',
    okFill: '#E8F6EE',
    error: '#C62A30',
    errorDot: '#E5484D',
    errorFill: '#FDEDED',
    warning: '#935A00',
    warningDot: '#E08A00',
    warningFill: '#FFF4E0',
    shadow: '0 1px 2px rgba(16, 24, 40, 0.04)',
  },
  dark: {
    layout: '#0E131F',
    container: '#161C2A',
    elevated: '#1D2435',
    head: '#1A2130',
    hover: '#1C2436',
    border: '#303A50',
    line: '#242C3E',
    text: '#E8EBF4',
    secondary: '#B4BCCD',
    tertiary: '#8D97AD',
    placeholder: '#8D97AD',
    disabled: '#566077',
    primary: '#4464F0',
    link: '#8FA6FF',
    tint: '#1E2A52',
    tintLine: '#3A4F96',
    fill: '#232B3D',
    ok: '#5BD694',
    okDot: '#5BD694',
    okFill: '#14312A',
    error: '#FF8A8D',
    errorDot: '#FF8A8D',
    errorFill: '#3A1D25',
    warning: '#F5C069',
    warningDot: '#F5C069',
    warningFill: '#382C17',
    shadow: 'none',
  },
} as const

export type Surface = Record<keyof typeof surfaces.light, string>
