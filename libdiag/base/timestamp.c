#include "base/timestamp.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/macros.h"

/* Read exactly `digits` digits; -1 when they are not there. */
static int number(const char **p, int digits)
{
	int value = 0;

	for (int i = 0; i < digits; i++) {
		if (!isdigit((unsigned char)**p))
			return -1;
		value = value * 10 + (*(*p)++ - '0');
	}
	return value;
}

static bool skip(const char **p, char c)
{
	return **p == c && (*p)++;
}

/* Fraction of a second in milliseconds; the rest is cut, not rounded. */
static int fraction_ms(const char **p)
{
	int value = 0, scale = 100;

	for (; isdigit((unsigned char)**p); (*p)++, scale /= 10)
		value += (**p - '0') * scale;
	return value;
}

static bool zone_offset(const char **p, int *ret_seconds)
{
	int sign = **p == '-' ? -1 : 1;
	int hours, minutes;

	*ret_seconds = 0;
	if (skip(p, 'Z') || skip(p, 'z'))
		return true;
	if (!skip(p, '+') && !skip(p, '-'))
		return false;
	hours = number(p, 2);
	if (hours < 0 || !skip(p, ':'))
		return false;
	minutes = number(p, 2);
	*ret_seconds = sign * (hours * 3600 + minutes * 60);
	return minutes >= 0 && hours < 24 && minutes < 60;
}

static int64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * DIAG_SECOND_MS + now.tv_nsec / 1000000;
}

int64_t diag_clock_ms(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t diag_time_now(void)
{
	return read_clock(CLOCK_REALTIME);
}

int64_t diag_time_parse(const char *text)
{
	struct tm tm = { 0 };
	int ms = 0, offset;
	const char *p = text;

	if (!p)
		return DIAG_TIME_NONE;
	tm.tm_year = number(&p, 4) - 1900;
	if (tm.tm_year < -1900 || !skip(&p, '-'))
		return DIAG_TIME_NONE;
	tm.tm_mon = number(&p, 2) - 1;
	if (tm.tm_mon < 0 || tm.tm_mon > 11 || !skip(&p, '-'))
		return DIAG_TIME_NONE;
	tm.tm_mday = number(&p, 2);
	if (tm.tm_mday < 1 || tm.tm_mday > 31 || (!skip(&p, 'T') && !skip(&p, 't')))
		return DIAG_TIME_NONE;
	tm.tm_hour = number(&p, 2);
	if (tm.tm_hour < 0 || tm.tm_hour > 23 || !skip(&p, ':'))
		return DIAG_TIME_NONE;
	tm.tm_min = number(&p, 2);
	if (tm.tm_min < 0 || tm.tm_min > 59 || !skip(&p, ':'))
		return DIAG_TIME_NONE;
	tm.tm_sec = number(&p, 2);
	if (tm.tm_sec < 0 || tm.tm_sec > 60)
		return DIAG_TIME_NONE;
	if (skip(&p, '.'))
		ms = fraction_ms(&p);
	if (!zone_offset(&p, &offset) || *p)
		return DIAG_TIME_NONE;
	return ((int64_t)timegm(&tm) - offset) * DIAG_SECOND_MS + ms;
}

const char *diag_time_format(int64_t time_ms, char *ret_text, size_t size)
{
	time_t seconds = (time_t)(time_ms / DIAG_SECOND_MS);
	struct tm tm;

	if (time_ms == DIAG_TIME_NONE || !gmtime_r(&seconds, &tm) ||
	    !strftime(ret_text, size, "%Y-%m-%dT%H:%M:%SZ", &tm))
		ret_text[0] = '\0';
	return ret_text;
}

static const struct {
	const char *name;
	int64_t ms;
} units[] = {
	{ "ms", 1 },
	{ "d", DIAG_DAY_MS },
	{ "h", DIAG_HOUR_MS },
	{ "m", DIAG_MINUTE_MS },
	{ "s", DIAG_SECOND_MS },
};

bool diag_duration_parse(const char *text, int64_t *ret_ms)
{
	double total = 0;
	const char *p = text;

	if (!p || !*p)
		return false;
	if (strcmp(p, "0") == 0) {
		*ret_ms = 0;
		return true;
	}
	while (*p) {
		char *end;
		double value;
		size_t i;

		if (!isdigit((unsigned char)*p) || strchr(p, 'x') || strchr(p, 'X'))
			return false;
		value = strtod(p, &end);
		for (i = 0; i < DIAG_ARRAY_SIZE(units); i++)
			if (strncmp(end, units[i].name, strlen(units[i].name)) == 0)
				break;
		if (i == DIAG_ARRAY_SIZE(units))
			return false;
		total += value * (double)units[i].ms;
		p = end + strlen(units[i].name);
	}
	if (total > 9e18)
		return false;
	*ret_ms = (int64_t)total;
	return true;
}

const char *diag_duration_format(int64_t ms, char *ret_text, size_t size)
{
	int64_t s = DIAG_MAX(ms, INT64_C(0)) / DIAG_SECOND_MS;
	int64_t days = s / 86400, hours = s / 3600 % 24, minutes = s / 60 % 60;

	if (days)
		snprintf(ret_text, size, hours ? "%lldd%lldh" : "%lldd", (long long)days,
			 (long long)hours);
	else if (hours)
		snprintf(ret_text, size, minutes ? "%lldh%lldm" : "%lldh", (long long)hours,
			 (long long)minutes);
	else if (minutes)
		snprintf(ret_text, size, minutes < 10 && s % 60 ? "%lldm%llds" : "%lldm",
			 (long long)minutes, (long long)(s % 60));
	else
		snprintf(ret_text, size, "%llds", (long long)s);
	return ret_text;
}
