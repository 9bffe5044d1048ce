/** Who is signed in; under it theme, language and the way out. */
import { ChevronsUpDown, LogOut } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { signOut, useUser } from "@/api";
import { Menu, MenuChoice, MenuItem, MenuRule } from "@/components/menu";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { LOCALE_NAMES, LOCALES, switchLocale } from "@/lib/i18n";
import { THEMES, useTheme } from "@/lib/theme";
import { PATHS } from "../paths";

export function AccountMenu({ collapsed = false }: { collapsed?: boolean }) {
  const { t } = useTranslation(["shell", "common"]);
  const user = useUser();
  const locale = useLocale();
  const { theme, setTheme } = useTheme();
  const navigate = useNavigate();
  if (!user) return null;
  const name = user.fullname ?? user.email.split("@")[0] ?? user.email;
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <button
          type="button"
          aria-label={t("account.label", { name })}
          className={cx(
            "flex min-h-12 items-center gap-3 rounded text-left hover:bg-paper",
            collapsed ? "mx-auto justify-center" : "w-full px-2",
          )}
        >
          <span
            aria-hidden="true"
            className="figures flex size-8 shrink-0 items-center justify-center rounded bg-ink text-[0.8125rem] text-paper"
          >
            {user.initials}
          </span>
          {!collapsed && (
            <>
              <span className="min-w-0 flex-1">
                <span className="block truncate text-[0.9375rem] leading-5 font-strong">{name}</span>
                <span className="block truncate text-[0.8125rem] leading-4 text-ink-faint">{user.email}</span>
              </span>
              <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
            </>
          )}
        </button>
      }
    >
      <MenuChoice
        label={t("common:theme.label")}
        value={theme}
        options={THEMES.map((value) => ({ value, label: t(`common:theme.${value}`) }))}
        onChange={setTheme}
      />
      <MenuRule />
      <MenuChoice
        label={t("common:language")}
        value={locale}
        options={LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value] }))}
        onChange={(value) => void switchLocale(value)}
      />
      <MenuRule />
      <MenuItem
        onSelect={() => {
          signOut();
          void navigate(PATHS.login, { replace: true });
        }}
      >
        <LogOut aria-hidden="true" />
        {t("account.sign_out")}
      </MenuItem>
    </Menu>
  );
}
