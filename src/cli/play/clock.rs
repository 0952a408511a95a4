//! Time controls and clocks. Start at [`Pace`].

use std::fmt;
use std::time::Duration;

/// Base time and increment per move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TimeControl {
    pub(crate) base: Duration,
    pub(crate) increment: Duration,
}

impl TimeControl {
    /// Parses `5+3`: minutes, and increment in seconds. Either may have a fraction.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        Self::new(60.0 * number(minutes)?, number(seconds)?)
    }

    fn new(base: f64, increment: f64) -> Option<Self> {
        let (base, increment) = (seconds(base)?, seconds(increment)?);
        (!(base + increment).is_zero()).then_some(Self { base, increment })
    }

    /// Parses the tag `TimeControl`, in seconds: `300+3`.
    pub(crate) fn from_tag(text: &str) -> Option<Self> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        Self::new(number(base)?, number(increment)?)
    }
}

/// Parses a number without sign or exponent.
fn number(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse::<f64>().ok().filter(|_| plain)
}

/// Returns a time of `seconds` if it is between zero and a week.
fn seconds(seconds: f64) -> Option<Duration> {
    (0.0..=7.0 * 86_400.0).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rounded to hundredths of a minute, without trailing zeros.
        let minutes = (self.base.as_secs_f64() / 60.0 * 100.0).round() / 100.0;
        write!(f, "{minutes} min + {} s", self.increment.as_secs_f64())
    }
}

/// Time limits of the players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pace {
    /// Clocks for both sides.
    Clock(TimeControl),
    /// The engine searches to this depth; the human's time is unlimited.
    Depth(u32),
    /// The engine takes this time per move; the human's time is unlimited.
    Time(Duration),
}

impl Pace {
    /// Describes the clocks of a game between humans.
    pub(crate) fn without_engine(self) -> String {
        match self {
            Self::Clock(control) => format!("clocks with {control}"),
            Self::Depth(_) | Self::Time(_) => "no clocks".to_owned(),
        }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clock(control) => write!(f, "clocks with {control}"),
            Self::Depth(depth) => write!(f, "no clocks, Damero searches to depth {depth}"),
            Self::Time(time) => {
                write!(f, "no clocks, Damero takes {} s per move", time.as_secs_f64())
            }
        }
    }
}

/// Formats a clock as in PGN: `0:04:59`.
pub(crate) fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Parses the clock in a comment such as `[%clk 0:04:59]`.
pub(crate) fn clock_in(comment: &str) -> Option<Duration> {
    let (_, rest) = comment.split_once("[%clk ")?;
    let mut total = 0.0;
    for part in rest.split_once(']')?.0.trim().split(':') {
        total = total * 60.0 + number(part)?;
    }
    seconds(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn malformed_times_are_refused() {
        for (text, base, increment) in [("5+3", 300, 3), ("0.5", 30, 0), ("90+30", 5400, 30)] {
            let control = TimeControl::parse(text).unwrap();
            assert_eq!((control.base, control.increment), (base * SECOND, increment * SECOND));
        }
        for text in
            ["", "+", "a", "5+b", "0+0", "-1", "1e3", "nan", "99999999", "inf", "1.8e19+1.8e19"]
        {
            assert_eq!(TimeControl::parse(text), None, "{text}");
        }
        assert_eq!(clock_in("so [%eval 0.1] [%clk 1:02:03]"), Some(3723 * SECOND));
        assert_eq!(clock_in("[%clk -1]"), None);
        assert_eq!(clock_in("[%clk 99999999999:00:00]"), None);
        assert_eq!(TimeControl::from_tag("0+1e19"), None);
        assert_eq!(TimeControl::from_tag("30+0.5"), TimeControl::parse("0.5+0.5"));
        assert_eq!(TimeControl::parse("0.03+0").unwrap().to_string(), "0.03 min + 0 s");
    }
}
