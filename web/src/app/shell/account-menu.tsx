/** The signed-in user, with a menu for account pages, theme, language and sign-out. */
import { ChevronsUpDown, LogOut, SlidersHorizontal, UserRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { signOut, useUser } from "@/api";
import { Menu, MenuChoice, MenuItem, MenuLink, MenuSeparator } from "@/components/menu";
import { UserAvatar } from "@/components/user-avatar";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { LOCALE_NAMES, LOCALES, switchLocale } from "@/lib/i18n";
import { THEMES, useTheme } from "@/lib/theme";
import { PATHS } from "../paths";
import { useSaveAppearance } from "./use-save-appearance";

export function AccountMenu({ collapsed = false }: { collapsed?: boolean }) {
  const { t } = useTranslation(["shell", "common"]);
  const user = useUser();
  const locale = useLocale();
  const { theme, setTheme } = useTheme();
  const navigate = useNavigate();
  const save = useSaveAppearance();
  if (!user) return null;
  const name = user.fullname ?? user.email.split("@")[0] ?? user.email;
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <button
          type="button"
          className={cx(
            "flex min-h-12 items-center gap-3 rounded text-left hover:bg-paper",
            collapsed ? "mx-auto justify-center" : "w-full px-2",
          )}
        >
          <UserAvatar />
          {/* Not as aria-label, which would have to contain the initials and the email address, too. */}
          <span className="sr-only">{t("account.label", { name })}</span>
          {!collapsed && (
            <>
              <span className="min-w-0 flex-1">
                <span aria-hidden="true" className="block truncate text-[0.9375rem] leading-5 font-strong">
                  {name}
                </span>
                <span className="block truncate text-[0.8125rem] leading-4 text-ink-faint">{user.email}</span>
              </span>
              <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
            </>
          )}
        </button>
      }
    >
      <MenuLink to={PATHS.profile}>
        <UserRound aria-hidden="true" />
        {t("account.profile")}
      </MenuLink>
      <MenuLink to={PATHS.settings}>
        <SlidersHorizontal aria-hidden="true" />
        {t("account.settings")}
      </MenuLink>
      <MenuSeparator />
      <MenuChoice
        label={t("common:theme.label")}
        value={theme}
        options={THEMES.map((value) => ({ value, label: t(`common:theme.${value}`) }))}
        onChange={(value) => {
          setTheme(value);
          save({ theme: value });
        }}
      />
      <MenuSeparator />
      <MenuChoice
        label={t("common:language")}
        value={locale}
        options={LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value] }))}
        onChange={(value) => {
          void switchLocale(value);
          save({ locale: value });
        }}
      />
      <MenuSeparator />
      <MenuItem
        onSelect={async () => {
          await signOut();
          await navigate(PATHS.login, { replace: true });
        }}
      >
        <LogOut aria-hidden="true" />
        {t("account.sign_out")}
      </MenuItem>
    </Menu>
  );
}
