//! Draws the errors of a training run. Start at [`plot`].

use std::fmt::Write;

use crate::training::network::checkpoint::EpochReport;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
/// Space for the labels on the left, at the bottom and elsewhere.
const LEFT: f64 = 80.0;
const BOTTOM: f64 = 40.0;
const MARGIN: f64 = 20.0;
/// Colours of the training and of the validation error.
const COLORS: [&str; 2] = ["#3366aa", "#cc5533"];

/// Returns an SVG picture of the training and the validation error by epoch.
#[must_use]
pub fn plot(history: &[EpochReport], title: &str) -> String {
    let errors = history.iter().flat_map(|epoch| [epoch.training, epoch.validation]);
    let (low, high) =
        errors.fold((f64::INFINITY, 0.0_f64), |(low, high), it| (low.min(it), high.max(it)));
    let (low, high) = if low < high { (low, high) } else { (0.0, high.max(1e-9)) };
    let last = history.len().max(2) - 1;
    let x = |epoch: usize| LEFT + (WIDTH - LEFT - MARGIN) * epoch as f64 / last as f64;
    let y = |error: f64| {
        let share = (error - low) / (high - low);
        MARGIN + 20.0 + (HEIGHT - BOTTOM - MARGIN - 20.0) * (1.0 - share)
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"18\" font-weight=\"bold\">{}</text>\n",
        escaped(title)
    );
    for step in 0..=4 {
        let error = low + (high - low) * f64::from(step) / 4.0;
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#dddddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{error:.5}</text>",
            WIDTH - MARGIN,
            y(error),
            y(error),
            LEFT - 6.0,
            y(error) + 4.0
        );
    }
    let every = history.len().div_ceil(10).max(1);
    for epoch in (0..history.len()).step_by(every) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(epoch),
            HEIGHT - BOTTOM + 18.0,
            epoch + 1
        );
    }
    for (index, name) in ["training", "validation"].into_iter().enumerate() {
        let error = |report: &EpochReport| [report.training, report.validation][index];
        let points: Vec<String> = history
            .iter()
            .enumerate()
            .map(|(epoch, report)| format!("{:.1},{:.1}", x(epoch), y(error(report))))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{0}\" stroke-width=\"2\" points=\"{1}\"/>\
             <text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\" fill=\"{0}\">{name} error</text>",
            COLORS[index],
            points.join(" "),
            WIDTH - MARGIN,
            MARGIN + 36.0 + 16.0 * index as f64
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">epoch</text>\n</svg>",
        f64::midpoint(LEFT, WIDTH - MARGIN),
        HEIGHT - 6.0
    );
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plot_shows_both_errors_and_survives_odd_histories() {
        let report = |training, validation| EpochReport { training, validation, seconds: 1.0 };
        let svg = plot(&[report(0.02, 0.03), report(0.015, 0.025)], "<128 units>");
        assert!(svg.contains("&lt;128 units&gt;") && svg.matches("<polyline").count() == 2);
        assert!(svg.contains("0.01500") && svg.contains("0.03000"), "{svg}");
        for history in [&[][..], &[report(0.0, 0.0)], &[report(0.5, 0.5)]] {
            let svg = plot(history, "x");
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
        }
    }
}
