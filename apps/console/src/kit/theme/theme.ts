import { theme as antdTheme, type ThemeConfig } from 'antd'
import { fontFamily, type Surface, surfaces } from './palette.ts'

type Algorithm = typeof antdTheme.darkAlgorithm

const fontFamilyCode =
  "'JetBrains Mono', 'Cascadia Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Noto Sans Mono CJK SC', monospace"

// antd's dark algorithm dulls the seed colours: the derived primary is put back to the one that was chosen (look.md 6).
const calmDark: Algorithm = (seed, map) => {
  const c = surfaces.dark
  return {
    ...antdTheme.darkAlgorithm(seed, map),
    colorPrimary: c.primary,
    colorPrimaryHover: '#5C79F5',
    colorPrimaryActive: '#3653D6',
    colorPrimaryBg: c.tint,
    colorPrimaryBgHover: '#25346480',
    colorPrimaryBorder: c.tintLine,
    colorPrimaryText: c.link,
    colorLink: c.link,
  }
}

const tokens = (c: Surface): ThemeConfig['token'] => ({
  colorPrimary: '#2F54EB',
  colorInfo: '#2F54EB',
  colorSuccess: c.okDot,
  colorWarning: c.warningDot,
  colorError: c.errorDot,
  colorLink: c.link,
  colorLinkHover: c.link,
  colorBgLayout: c.layout,
  colorBgContainer: c.container,
  colorBgElevated: c.elevated,
  colorBorder: c.border,
  colorBorderSecondary: c.line,
  colorSplit: c.line,
  colorText: c.text,
  colorTextHeading: c.text,
  colorTextSecondary: c.secondary,
  colorTextTertiary: c.tertiary,
  colorTextQuaternary: c.disabled,
  colorTextDescription: c.tertiary,
  colorTextPlaceholder: c.placeholder,
  colorTextDisabled: c.disabled,
  colorPrimaryBg: c.tint,
  colorPrimaryBorder: c.tintLine,
  colorErrorText: c.error,
  colorSuccessText: c.ok,
  colorWarningText: c.warning,
  colorErrorBg: c.errorFill,
  colorSuccessBg: c.okFill,
  colorWarningBg: c.warningFill,
  colorFillTertiary: c.fill,
  controlItemBgHover: c.hover,
  controlItemBgActive: c.tint,
  borderRadius: 6,
  borderRadiusLG: 8,
  borderRadiusSM: 4,
  fontSize: 14,
  fontFamily,
  fontFamilyCode,
  boxShadowTertiary: '0 1px 2px rgba(16,24,40,.04)',
  wireframe: false,
})

const raisedDark = '#2C3650'

// The row heights of look.md 10 are set in list-page.css (40, compact 32); the padding leaves room for a 24 px button.
const components = (c: Surface, dark: boolean): ThemeConfig['components'] => ({
  Table: {
    headerBg: c.head,
    headerColor: c.secondary,
    headerSplitColor: 'transparent',
    headerSortActiveBg: c.head,
    headerSortHoverBg: c.hover,
    bodySortBg: 'transparent',
    rowHoverBg: c.hover,
    rowSelectedBg: c.tint,
    rowSelectedHoverBg: c.tint,
    borderColor: c.line,
    headerBorderRadius: 0,
    cellPaddingBlock: 7,
    cellPaddingInline: 12,
    cellPaddingBlockMD: 7,
    cellPaddingInlineMD: 12,
    cellPaddingBlockSM: 3,
    cellPaddingInlineSM: 12,
    selectionColumnWidth: 44,
  },
  Form: { itemMarginBottom: 20, verticalLabelPadding: '0 0 6px', labelColor: c.secondary },
  Tabs: { inkBarColor: c.link, itemSelectedColor: c.link, itemHoverColor: c.link, itemActiveColor: c.link },
  Slider: {
    trackBg: c.primary,
    trackHoverBg: c.primary,
    handleColor: c.primary,
    handleActiveColor: c.primary,
    dotActiveBorderColor: c.primary,
  },
  Menu: {
    itemHeight: 36,
    itemBorderRadius: 6,
    itemMarginInline: 8,
    itemColor: c.secondary,
    itemSelectedBg: c.tint,
    itemSelectedColor: c.link,
    subMenuItemBg: 'transparent',
    activeBarBorderWidth: 0,
  },
  Avatar: { colorTextPlaceholder: c.tint, colorTextLightSolid: c.link },
  Tag: { defaultBg: c.fill, defaultColor: c.secondary, borderRadiusSM: 4 },
  Button: {
    primaryShadow: 'none',
    defaultShadow: 'none',
    dangerShadow: 'none',
    fontWeight: 400,
    // antd's own is too light for text.
    defaultHoverColor: c.link,
    defaultActiveColor: c.link,
    // White text needs a deeper red than the dots.
    colorError: dark ? '#C93A41' : c.error,
    colorErrorHover: dark ? '#D5494F' : '#D5373D',
    colorErrorActive: '#AD2127',
  },
  // What is chosen stands out from its track by being lighter, in the dark too.
  Segmented: dark
    ? { trackBg: c.layout, itemColor: c.secondary, itemSelectedBg: raisedDark, itemSelectedColor: c.text }
    : { trackBg: c.fill, itemColor: c.secondary, itemSelectedBg: c.container, itemSelectedColor: c.link },
  Pagination: { itemActiveBg: c.container, itemActiveColor: c.link },
  Drawer: { paddingLG: 24, footerPaddingInline: 24 },
  Modal: { titleFontSize: 16 },
  Layout: {
    headerBg: c.container,
    headerHeight: 56,
    headerPadding: '0 20px',
    siderBg: c.container,
    bodyBg: c.layout,
    footerBg: c.layout,
  },
  Breadcrumb: { fontSize: 12, itemColor: c.tertiary, lastItemColor: c.secondary, linkColor: c.tertiary },
  Tooltip: { colorBgSpotlight: dark ? raisedDark : '#171C2E' },
})

/** Who asked the system for less motion gets none: drawers and notices come and go at once. */
const calm = typeof window !== 'undefined' && window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** Fingers need height whatever the density of the tables (look.md "Phone"). */
const controlHeightOf = (compact: boolean, phone: boolean) => (phone ? 40 : compact ? 28 : 32)

interface ThemeChoice {
  dark: boolean
  compact: boolean
  phone?: boolean
}

/** One theme for the whole console; build/palette-sheet.ts writes the same colours as variables. */
export function makeTheme({ dark, compact, phone = false }: ThemeChoice): ThemeConfig {
  const c: Surface = dark ? surfaces.dark : surfaces.light
  return {
    algorithm: dark ? calmDark : antdTheme.defaultAlgorithm,
    // A one-letter key would be put as a class on every component (look.md 6).
    cssVar: { key: dark ? 'ithings-dark' : 'ithings-light' },
    hashed: false,
    // The rules are in a sheet that was written at build time (build/antd-styles.ts).
    zeroRuntime: true,
    token: { ...tokens(c), controlHeight: controlHeightOf(compact, phone), motion: !calm },
    components: components(c, dark),
  }
}
