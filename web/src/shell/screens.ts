import type { IconName } from "../base/icon";
import type { Key } from "../base/text";

export interface ScreenEntry {
  screen: string;
  title: Key;
  icon: IconName;
}

// In the order of the side list, which is that of Ctrl+1 and on.
export const screens: readonly ScreenEntry[] = [
  { screen: "overview", title: "screen.overview", icon: "overview" },
  { screen: "jobs", title: "screen.jobs", icon: "jobs" },
];
